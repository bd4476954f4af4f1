import { Badge, Button, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { call } from '../../api/call.ts';
import type { Stored } from '../../api/objects.ts';
import { fieldOf, type ShownEntity } from '../../field-tables.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { titleOf, valueText } from '../../parts/value-text.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import { isSame, useDraft } from '../settings/draft.ts';
import { type Change, type FieldChange, historyQuery } from './history.ts';
import classes from './history-tab.module.css';

const written = {
  add: 'added',
  update: 'changed',
  activate: 'activated',
  deactivate: 'deactivated',
  connect: 'connected',
  revoke: 'ended',
};

/** What was done to the object, newest first, and ways back. */
export function HistoryTab() {
  const { entity, object } = useShownObject();
  const { data, error, isPending } = useQuery(historyQuery({ Entity: entity.key, Id: object.Id }));
  if (error) return <ErrorNote error={error} />;
  if (isPending) return <Skeleton h={200} />;
  return (
    <Stack gap={0} maw={960}>
      {data.map((change) => (
        <ChangeRow key={change.Revision} change={change} />
      ))}
    </Stack>
  );
}

function ChangeRow({ change }: { readonly change: Change }) {
  const { entity } = useShownObject();
  return (
    <article className={classes.change}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Group gap="xs">
          <Badge variant="light" color={change.Operation === 'deactivate' ? 'gray' : 'indigo'}>
            {written[change.Operation]}
          </Badge>
          <Text size="sm">
            by <b>{change.UserName || 'Bourse'}</b>
          </Text>
          <Text size="sm" c="dimmed">
            <Moment time={change.Time} />
          </Text>
        </Group>
        {change.Operation !== 'add' && <Ways change={change} />}
      </Group>
      {change.Operation !== 'add' && (
        <dl className={classes.fields}>
          {change.Changes.filter(({ Field }) => Field !== 'StatusString').map((field) => (
            <FieldRow key={field.Field} entity={entity} change={field} />
          ))}
        </dl>
      )}
    </article>
  );
}

function FieldRow({ entity, change }: { readonly entity: ShownEntity; readonly change: FieldChange }) {
  const { Field, Old, New, Added = [], Removed = [], Written } = change;
  const field = fieldOf(entity, Field);
  const text = (value: unknown) => (field ? valueText(field, value) : JSON.stringify(value)) || 'empty';
  return (
    <>
      <dt>{titleOf(Field)}</dt>
      <dd>
        {Written === 1 && 'written anew'}
        {Added.length > 0 && <span>connected {Added.join(', ')} </span>}
        {Removed.length > 0 && <span>disconnected {Removed.join(', ')}</span>}
        {'New' in change && (
          <>
            <del className={classes.old}>{text(Old)}</del> → <ins className={classes.new}>{text(New)}</ins>
          </>
        )}
      </dd>
    </>
  );
}

/** Puts values of before into the form of the settings, from which they can be looked at and saved. */
function Ways({ change }: { readonly change: Change }) {
  const { entity, object } = useShownObject();
  const draft = useDraft(`${entity.key}-${object.Id}`, object);
  const navigate = useNavigate();
  const may = mayChange(useAccount());
  const open = () =>
    navigate({ to: '/console/$entity/$id', params: { entity: entity.key, id: String(object.Id) } });
  const sendable = (name: string) => fieldOf(entity, name)?.presence !== 'derived';
  const revertOne = async () => {
    const before = change.Changes.filter((one) => 'Old' in one && sendable(one.Field));
    draft.setAll(Object.fromEntries(before.map(({ Field, Old }) => [Field, Old])));
    await open();
  };
  const revertSince = async () => {
    const moment = new Date(Date.parse(change.Time) - 1).toJSON();
    const { data } = await call<Stored>(`api/${entity.path}/get`, { query: { Id: object.Id, AsOf: moment } });
    const different = entity.fields.filter(
      ({ name }) => sendable(name) && name in data && !isSame(data[name], object[name]),
    );
    draft.setAll(Object.fromEntries(different.map(({ name }) => [name, data[name]])));
    await open();
  };
  const hasValues = change.Changes.some((one) => 'Old' in one && sendable(one.Field));
  return (
    <Group gap={4} wrap="nowrap">
      {hasValues && (
        <Tooltip label={may ? 'Puts the old values into the settings, unsaved' : analystReason}>
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Undo2 size={12} />}
            disabled={!may}
            onClick={() => void revertOne()}
          >
            Revert
          </Button>
        </Tooltip>
      )}
      <Tooltip label={may ? 'Puts everything back as it was before this change, unsaved' : analystReason}>
        <Button variant="subtle" size="compact-xs" disabled={!may} onClick={() => void revertSince()}>
          Back to before
        </Button>
      </Tooltip>
    </Group>
  );
}
