import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Explanation } from '../../../src/answers/explanation.ts';
import type { TestResult } from '../../../src/answers/test-result.ts';
import { CallError, sendRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { HeldAuctions } from '../../auctions/held-auctions.tsx';
import { objectName } from '../../funnel/funnel-search.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { JsonArea } from '../../parts/json-area.tsx';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import { useDraft } from '../settings/draft.ts';
import { Calls } from '../test/calls.tsx';
import { testRequest } from '../test/test.ts';
import { DealSupply } from './deal-supply.tsx';
import { explainRequest, requestOf } from './explanation.ts';
import { Outcome } from './outcome.tsx';
import { macroUrlsOf, UrlEditor } from './url-editor.tsx';
import classes from './why-tab.module.css';

const sources = [
  { value: 'last', label: 'Last request' },
  { value: 'own', label: 'A request of mine' },
  { value: 'held', label: 'Auctions held' },
] as const;
type Source = (typeof sources)[number]['value'];

/** Why no ad is shown: what would become of a request, rule by rule, or what became of those that came. */
export function WhyTab() {
  return useShownObject().entity.side === 'deal' ? <DealSupply /> : <Explaining />;
}

function Explaining() {
  const { entity, object } = useShownObject();
  const urls = macroUrlsOf(entity, object);
  const [source, setSource] = useState<Source>('last');
  const [request, setRequest] = useState(urls[0] ?? '');
  const { changed } = useDraft(`${entity.key}-${object.Id}`, object);
  const unsaved = Object.keys(changed).length;
  const may = mayChange(useAccount());
  const callOf = (isReal: boolean) => {
    const wanted = source === 'own' ? requestOf(request, urls.length > 0) : undefined;
    return isReal
      ? testRequest(entity, object.Id, wanted)
      : explainRequest(entity, object.Id, wanted, changed);
  };
  const asked = useMutation({
    mutationFn: async (isReal: boolean) => (await sendRequest(callOf(isReal))).data,
  });
  return (
    <div className={classes.layout}>
      <Stack gap="md" className={classes.request}>
        <Title order={2} size="h4">
          A request
        </Title>
        <SegmentedControl
          fullWidth
          size="xs"
          data={sources.map((one) => ({ ...one }))}
          value={source}
          onChange={(value) => {
            setSource(value as Source);
            asked.reset();
          }}
        />
        <RequestEditor
          source={source}
          urls={urls}
          value={request}
          error={asked.error}
          onChange={(text) => {
            setRequest(text);
            if (asked.error) asked.reset();
          }}
        />
        {source !== 'held' && (
          <Group>
            <Button onClick={() => asked.mutate(false)} loading={asked.isPending && !asked.variables}>
              {unsaved > 0 ? 'Explain with unsaved changes' : 'Explain'}
            </Button>
            <Button
              variant="default"
              disabled={!may || unsaved > 0}
              title={may ? 'Calls demand, and counts nothing' : analystReason}
              onClick={() => asked.mutate(true)}
              loading={asked.isPending && asked.variables}
            >
              Run for real
            </Button>
            {isReadable(source, urls, request) && (
              <ApiCall calls={{ Explain: callOf(false), 'Run for real': callOf(true) }} />
            )}
          </Group>
        )}
      </Stack>
      <Stack gap="md" className={classes.outcome} aria-live="polite">
        {source === 'held' ? <SampledAuctions /> : <Answer explanation={asked.data} error={asked.error} />}
      </Stack>
    </div>
  );
}

/** Whether what was typed can be sent. */
function isReadable(source: Source, urls: readonly string[], request: string): boolean {
  try {
    return source !== 'own' || requestOf(request, urls.length > 0) !== undefined;
  } catch {
    return false;
  }
}

interface EditorProps {
  readonly source: Source;
  readonly urls: readonly string[];
  readonly value: string;
  readonly error: Error | null;
  readonly onChange: (request: string) => void;
}

/** What is refused of the bid request itself. */
function refusalOf(error: Error | null) {
  if (!(error instanceof CallError)) return undefined;
  const fault = error.faults.find(({ Path }) => /^OpenRtb\b/.test(Path));
  return fault && { path: fault.Path.replace(/^OpenRtb\.?/, ''), message: fault.Message };
}

function RequestEditor({ source, urls, value, error, onChange }: EditorProps) {
  if (source === 'held') return null;
  if (source === 'last') {
    return (
      <Text size="sm" c="dimmed">
        The last request to this object, as if it came now.
      </Text>
    );
  }
  if (urls.length > 0) return <UrlEditor urls={urls} value={value} onChange={onChange} />;
  return (
    <JsonArea
      label="Bid request"
      description="OpenRTB 2.5 or 2.6, as JSON; if it has several impressions, the first is explained"
      minRows={10}
      text={value}
      refusal={refusalOf(error)}
      onText={onChange}
    />
  );
}

function Answer({
  explanation,
  error,
}: {
  explanation: Explanation | TestResult | undefined;
  error: Error | null;
}) {
  const { entity } = useShownObject();
  if (error instanceof CallError && error.faults.length > 0) {
    return (
      <ErrorNote
        error={new Error(error.faults.map(({ Path, Message }) => `${Path} ${Message}`).join('; '))}
      />
    );
  }
  if (error) return <ErrorNote error={error} />;
  if (!explanation) {
    return (
      <Text c="dimmed" pt="xl">
        Explain shows every connected demand object and every deal, and every rule that keeps it from this
        request. Nobody is called and nothing is counted.{' '}
        <Link to="/console/help/$page" params={{ page: 'why-no-ad' }}>
          What the reasons mean
        </Link>
      </Text>
    );
  }
  return (
    <>
      <Outcome explanation={explanation} supply={entity} />
      {'Calls' in explanation && (
        <section>
          <Title order={2} size="h4" mb="xs">
            Calls to demand
          </Title>
          <Calls calls={explanation.Calls} />
        </section>
      )}
    </>
  );
}

function SampledAuctions() {
  const { entity, object } = useShownObject();
  const [chosen, setChosen] = useState<string>();
  return (
    <HeldAuctions
      search={{ supply: objectName({ entity: entity.key, id: object.Id }), auction: chosen }}
      onChoose={setChosen}
    />
  );
}
