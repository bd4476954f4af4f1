import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useNames } from '../api/names.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { useTimeZone } from '../parts/time-zone.ts';
import { type AskedQuestion, reportRequest } from '../reports/question.ts';
import { OmissionsNote, PeriodInputs } from '../reports/question-inputs.tsx';
import { ReportRefusal } from '../reports/report-refusal.tsx';
import type { ReportSearch } from '../reports/report-search.ts';
import { funnelIn } from './funnel.ts';
import { type FunnelSearch, funnelPeriod, namedObject } from './funnel-search.ts';
import { FunnelView } from './funnel-view.tsx';
import { SidesInput } from './sides-input.tsx';
import { questionsOf, useAnswers } from './use-funnel.ts';

const timeOf = ({ period, from, to, zone }: ReportSearch): FunnelSearch => ({ period, from, to, zone });

/** What becomes of requests on their way to an ad: of the whole team, of a supply object, of a demand object, or of a pair. */
export function FunnelScreen() {
  const search = useSearch({ from: '/console/funnel' });
  const [own] = useTimeZone();
  const navigate = useNavigate();
  const show = (changed: FunnelSearch, isNew = false) =>
    void navigate({ to: '/console/funnel', search: { ...search, ...changed }, replace: !isNew });
  const period = { period: search.period ?? funnelPeriod };
  const { supply, demand } = search;
  const asked = questionsOf(search, own).reasons;
  return (
    <Stack gap="lg" maw={1100}>
      <div>
        <Title order={1} size="h3">
          Funnel
        </Title>
        <Text size="sm" c="dimmed" maw={720}>
          What happens to requests on their way to an ad, and where they are lost: of the whole team, or of
          the supply and demand you choose.{' '}
          <Link to="/console/help/$page" params={{ page: 'funnel-and-health' }}>
            How to read it
          </Link>
        </Text>
      </div>
      <Stack gap="sm" component="section" aria-label="Question">
        <Group gap="sm" align="flex-end">
          <SidesInput supply={supply} demand={demand} onChange={(sides) => show(sides, true)} />
        </Group>
        <PeriodInputs
          search={{ ...search, ...period }}
          asked={asked}
          isCompared={false}
          onChange={(changed) => show({ period: undefined, ...timeChanges(changed) })}
        />
        <OmissionsNote asked={asked} />
      </Stack>
      <FunnelAnswer search={search} onShow={show} />
    </Stack>
  );
}

/** Of what an input changes, what a funnel has. */
const timeChanges = (changed: ReportSearch): FunnelSearch =>
  Object.fromEntries(
    Object.entries(changed).filter(([name]) => ['period', 'from', 'to', 'zone'].includes(name)),
  );

interface FunnelAnswerProps {
  readonly search: FunnelSearch;
  readonly onShow: (changed: FunnelSearch, isNew?: boolean) => void;
}

function FunnelAnswer({ search, onShow }: FunnelAnswerProps) {
  const [own] = useTimeZone();
  const questions = questionsOf(search, own);
  const { answers, error } = useAnswers(questions);
  if (error) {
    const asked: ReportSearch = { ...timeOf(search), period: search.period ?? funnelPeriod, by: 'Reason' };
    // A funnel is of another time at most: its names are always the same.
    const isOther = (next: ReportSearch) => JSON.stringify(timeOf(next)) !== JSON.stringify(timeOf(asked));
    return (
      <ReportRefusal
        error={error}
        search={asked}
        canAsk={isOther}
        onAsk={(next) => onShow(timeOf(next), true)}
      />
    );
  }
  if (!answers) return <Skeleton h={420} aria-label="Loading the funnel" />;
  const funnel = funnelIn(answers);
  return (
    <Stack gap="xl">
      <Head search={search} questions={questions} />
      {funnel.steps.every(({ count }) => count === 0) && funnel.losses.length === 0 ? (
        <Stack gap="xs" align="flex-start">
          <Text fw={600}>Nothing was counted</Text>
          <Text c="dimmed">
            There was nothing in this period. Today's figures are one or two seconds old.
          </Text>
          {search.period !== 'Last7Days' && (
            <Button
              size="xs"
              variant="default"
              onClick={() => onShow({ period: 'Last7Days', from: undefined, to: undefined }, true)}
            >
              Last 7 days
            </Button>
          )}
        </Stack>
      ) : (
        <FunnelView funnel={funnel} search={search} />
      )}
    </Stack>
  );
}

interface HeadProps {
  readonly search: FunnelSearch;
  readonly questions: Readonly<Record<string, AskedQuestion>>;
}

const titles: Readonly<Record<string, string>> = {
  own: 'Supply on its own',
  ownReasons: 'What supply refused',
  offered: 'What demand was offered',
  reasons: 'What was refused there',
};

function Head({ search: { supply, demand }, questions }: HeadProps) {
  const calls = Object.entries(questions).map(([name, { question }]) => [
    titles[name] ?? name,
    reportRequest(question),
  ]);
  return (
    <Group justify="space-between" gap="sm">
      <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
        {supply === undefined && demand === undefined && 'All supply and demand'}
        {supply !== undefined && <ObjectLink name={supply} />}
        {supply !== undefined && demand !== undefined && ' with '}
        {demand !== undefined && <ObjectLink name={demand} />}
      </Title>
      <ApiCall calls={Object.fromEntries(calls)} />
    </Group>
  );
}

function ObjectLink({ name }: { readonly name: string }) {
  const { entity, id } = namedObject(name);
  const names = useNames(entity, [id]);
  return (
    <Link to="/console/$entity/$id" params={{ entity, id: String(id) }}>
      {names[id] ?? `ID ${id}`}
    </Link>
  );
}
