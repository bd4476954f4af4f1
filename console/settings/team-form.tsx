import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type ApiRequest, CallError } from '../api/call.ts';
import type { Values } from '../api/objects.ts';
import { teamSettingsQuery, teamSettingsRequest } from '../api/team-settings.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { teamFields } from '../fields.ts';
import { isSame } from '../objects/settings/draft.ts';
import { FieldGrid } from '../objects/settings/field-grid.tsx';
import { FieldInput } from '../objects/settings/field-input.tsx';
import { fieldOfPath } from '../objects/settings/use-check.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { administratorReason, mayManageUsers } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { useAccessChange } from './people.ts';
import { Section } from './section.tsx';

const parts = [
  {
    name: 'Quality',
    title: 'Third-party measurement',
    text: 'A URL that is called when an ad of an RTB EP with ThirdPartyPostbidEnable is shown, for the share of its ads in ThirdPartyPercentage. Reports count them as Measured. Secure pages call it only if it begins with https.',
  },
  {
    name: 'Privacy',
    title: 'Privacy',
    text: (
      <>
        What the consent of viewers must cover before partners get their data.{' '}
        <Link to="/console/help/$page" params={{ page: 'privacy' }} hash="settings">
          What each setting does
        </Link>
      </>
    ),
  },
] as const;

/** The settings of the whole team. */
export function TeamForm() {
  const { data, error } = useQuery(teamSettingsQuery);
  return (
    <>
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={90} />}
      {data && <SettingsForm key={JSON.stringify(data)} stored={data} />}
    </>
  );
}

function SettingsForm({ stored }: { readonly stored: Values }) {
  const client = useQueryClient();
  const may = mayManageUsers(useAccount());
  const [changed, change] = useState<Values>({});
  const save = useAccessChange('Settings saved');
  const faults = save.error instanceof CallError ? save.error.faults : [];
  const differing = Object.entries(changed).filter(([name, value]) => !isSame(value, stored[name]));
  const body = { Team: Object.fromEntries(differing) };
  const request = { path: 'api/team/update', body } satisfies ApiRequest;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(request, {
      onSuccess: () => client.invalidateQueries({ queryKey: teamSettingsQuery.queryKey }),
    });
  };
  const title = may ? undefined : administratorReason;
  return (
    <Stack gap="xl" component="form" onSubmit={submit}>
      {save.error && faults.length === 0 && <ErrorNote error={save.error} />}
      {parts.map(({ name, title: heading, text }) => (
        <Section key={name} title={heading} text={text}>
          <FieldGrid fields={teamFields.filter((field) => field.section === name)}>
            {(field) => (
              <FieldInput
                field={field}
                value={changed[field.name] ?? stored[field.name]}
                error={faults.find(({ Path }) => fieldOfPath(Path) === field.name)?.Message}
                isDisabled={!may}
                isRequired={false}
                onChange={(value) => change((before) => ({ ...before, [field.name]: value }))}
              />
            )}
          </FieldGrid>
        </Section>
      ))}
      <Group>
        <Button
          type="submit"
          disabled={!may || differing.length === 0}
          title={title}
          loading={save.isPending}
        >
          Save
        </Button>
        <ApiCall calls={{ 'Fetch the settings': teamSettingsRequest, 'Save the settings': request }} />
      </Group>
    </Stack>
  );
}
