import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { objectIn } from '../../api/answers.ts';
import { sendRequest } from '../../api/call.ts';
import { changeRequest, objectRequest } from '../../api/objects.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { fieldOf, fieldsOf } from '../../fields.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import { isSame, useDraft } from '../settings/draft.ts';
import { AsOf } from './as-of.tsx';
import { ChangeRow } from './change-row.tsx';
import { type Change, historyQuery } from './history.ts';

/** What was done to the object, newest first, and ways back. */
export function HistoryTab() {
  const { entity, object } = useShownObject();
  const { revision } = useSearch({ from: '/console/$entity/$id/history' });
  const { data, error, isPending } = useQuery(historyQuery({ Entity: entity.key, Id: object.Id }));
  if (error) return <ErrorNote error={error} />;
  if (isPending) return <Skeleton h={200} />;
  return (
    <Stack gap={0} maw={960}>
      {data.map((change) => (
        <ChangeRow key={change.Revision} change={change} isMeant={change.Revision === revision}>
          <Group gap={4} wrap="nowrap">
            {change.BatchId && <OfBatch id={change.BatchId} />}
            <AsOf time={change.Time} />
            <Ways change={change} />
          </Group>
        </ChangeRow>
      ))}
    </Stack>
  );
}

function OfBatch({ id }: { readonly id: string }) {
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      title="This change is one of a bulk change"
      renderRoot={(props) => <Link to="/console/history" search={{ batch: id }} {...props} />}
    >
      Bulk change
    </Button>
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
  // Lines of lists go back by their own tab.
  const sendable = (name: string) => {
    const field = fieldOf(entity, name);
    return field?.presence !== 'derived' && field?.place !== 'listText';
  };
  const changed = change.Changes.filter((one) => 'Old' in one && sendable(one.Field));
  const before = Object.fromEntries(changed.map(({ Field, Old }) => [Field, Old]));
  const hasValues = changed.length > 0;
  const isFirst = change.Operation === 'add';
  const asBefore = objectRequest(entity, object.Id, new Date(Date.parse(change.Time) - 1).toJSON());
  const revertOne = async () => {
    draft.setAll(before);
    await open();
  };
  const revertSince = async () => {
    const data = objectIn((await sendRequest(asBefore)).data);
    const different = fieldsOf(entity).filter(
      ({ name }) => sendable(name) && name in data && !isSame(data[name], object[name]),
    );
    draft.setAll(Object.fromEntries(different.map(({ name }) => [name, data[name]])));
    await open();
  };
  return (
    <Group gap={4} wrap="nowrap">
      {hasValues && !isFirst && (
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<Undo2 size={12} />}
          disabled={!may}
          title={may ? 'Puts the old values into the settings, without saving' : analystReason}
          onClick={() => void revertOne()}
        >
          Revert
        </Button>
      )}
      {!isFirst && (
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={!may}
          title={
            may ? 'Puts everything back to what it was before this change, without saving' : analystReason
          }
          onClick={() => void revertSince()}
        >
          Back to before
        </Button>
      )}
      <ApiCall
        isSmall
        calls={{
          ...(hasValues &&
            !isFirst && { Revert: changeRequest(entity, 'update', { Id: object.Id, ...before }) }),
          'As it was': objectRequest(entity, object.Id, change.Time),
          ...(!isFirst && { 'As it was before': asBefore }),
        }}
      />
    </Group>
  );
}
