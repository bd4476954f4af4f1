import { Button, Group, List, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type ApiRequest, CallError, sendRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { blobOf, type Content, useContent } from '../parts/content.ts';
import { ContentInput } from '../parts/content-input.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { saveFile } from '../parts/save-file.ts';
import { askConfig } from './ask-config.ts';
import { documentRequest, exportRequest } from './config-question.ts';
import { PlanView } from './plan-view.tsx';
import { usePlan } from './use-plan.ts';

/** The team's whole configuration as one document: taken out, looked at against another, and brought in. */
export function ConfigurationScreen() {
  return (
    <Stack gap="xl" maw={960}>
      <Stack gap={4}>
        <Title order={1} size="h3">
          Configuration
        </Title>
        <Text c="dimmed" size="sm">
          All objects of the team as one document, without IDs, secrets and figures. Applying the same
          document again changes nothing.
        </Text>
      </Stack>
      <Export />
      <Apply />
    </Stack>
  );
}

/** A link of our own, by which the browser downloads by itself. */
async function openDownload({ path }: ApiRequest): Promise<void> {
  const request = { path: 'api/auth/download', body: { Path: `/${path}` } } satisfies ApiRequest;
  const { data } = await sendRequest(request);
  const link = document.createElement('a');
  link.href = new URL(data.Url.replace(/^\//, ''), document.baseURI).href;
  link.download = 'bourse.json';
  link.click();
}

const forms = [
  {
    label: 'Download YAML',
    save: async () => saveFile(await askConfig<'export'>({ kind: 'export' }), 'bourse.yaml'),
  },
  { label: 'Download JSON', save: () => openDownload(exportRequest) },
] as const;

function Export() {
  return (
    <Stack gap="sm" component="section" aria-labelledby="export">
      <Title order={2} size="h4" id="export">
        Export
      </Title>
      <Text size="sm">YAML is easier to compare and can have comments; both can be applied again.</Text>
      <Group gap="sm" align="flex-start">
        {forms.map((form) => (
          <ExportButton key={form.label} {...form} />
        ))}
        <ApiCall calls={{ Export: exportRequest }} />
      </Group>
    </Stack>
  );
}

function ExportButton({ label, save }: (typeof forms)[number]) {
  const saving = useMutation({ mutationFn: save });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<Download size={16} />}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        {label}
      </Button>
      {saving.error && <ErrorNote error={saving.error} />}
    </Stack>
  );
}

function Apply() {
  const { missing } = useSearch({ from: '/console/configuration' });
  const navigate = useNavigate();
  const { content, set } = useContent('configuration');
  const blob = blobOf(content);
  const choice = { isMissingDeactivated: missing === 'deactivate' };
  const question = blob && {
    content: blob,
    name: content.file?.name ?? 'The text',
    ...choice,
  };
  const plan = usePlan();
  const change = (next: Content) => {
    plan.reset();
    set(next);
    if (next.file) {
      plan.make({ content: next.file, name: next.file.name, ...choice });
    }
  };
  return (
    <Stack gap="md" component="section" aria-labelledby="apply">
      <Title order={2} size="h4" id="apply">
        Apply a document
      </Title>
      <Text size="sm">You see what it would do, object by object, before anything is changed.</Text>
      <ContentInput
        content={content}
        label="Or paste a document"
        description="YAML or JSON, as exported; it can have only some of the objects"
        accept=".yaml,.yml,.json,application/json,application/yaml"
        fileHint="or drop one here: YAML or JSON, up to 64 MB"
        isDisabled={plan.isPending}
        onChange={change}
      />
      <Switch
        label="Deactivate objects that are not in it"
        description="Otherwise, objects that are not in the document are left alone"
        checked={missing === 'deactivate'}
        disabled={plan.isPending}
        onChange={({ currentTarget }) => {
          plan.reset();
          const chosen = currentTarget.checked ? ('deactivate' as const) : undefined;
          void navigate({ to: '.', search: { missing: chosen }, replace: true });
        }}
      />
      <Group gap="xs">
        {question && !plan.result && (
          <Button onClick={() => plan.make(question)} loading={plan.isPending}>
            Show the plan
          </Button>
        )}
        <ApiCall
          calls={{
            'Show the plan': documentRequest({ ...choice, kind: 'plan' }),
            Apply: documentRequest({ ...choice, kind: 'apply' }),
          }}
        />
      </Group>
      {plan.error && <DocumentFaults error={plan.error} />}
      {question && plan.result && (
        <PlanView plan={plan} result={plan.result} onApply={() => plan.apply(question)} />
      )}
    </Stack>
  );
}

const faultsShown = 100;

/** Why a document was refused: each fault with its place. */
function DocumentFaults({ error }: { readonly error: Error }) {
  if (!(error instanceof CallError) || error.faults.length === 0) return <ErrorNote error={error} />;
  const more = error.faults.length - faultsShown;
  return (
    <Stack gap="xs" role="alert">
      <Text c="red" fw={600} size="sm">
        The document is not accepted, and nothing was changed:
      </Text>
      <List size="sm">
        {error.faults.slice(0, faultsShown).map(({ Path, Message }) => (
          <List.Item key={Path + Message} style={{ overflowWrap: 'anywhere' }}>
            <b>{Path.replace(/^Config\./, '')}</b> {Message}
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">and {more} more</Text>}
    </Stack>
  );
}
