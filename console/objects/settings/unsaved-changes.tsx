import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call.ts';
import { changeRequest, objectQuery, sendObject } from '../../api/objects.ts';
import { numbersIn } from '../../api/values.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { fieldsOf } from '../../fields.ts';
import { asError } from '../../parts/faults.ts';
import { objectName } from '../../parts/object-name.ts';
import { countText } from '../../parts/value-text.ts';
import { announce } from '../../shell/announcements.ts';
import { offerUndo } from '../../shell/notices.ts';
import { type Cut, cutCount, cutsIn, restored } from '../connections/cuts.ts';
import { useShownObject } from '../object-context.ts';
import { Conflicts } from './conflicts.tsx';
import type { DraftValues } from './draft.ts';
import { SaveBar } from './save-bar.tsx';
import type { CheckResult } from './use-check.ts';

const changedMeanwhile = 412;

function useSave(draft: DraftValues) {
  const { entity, object, tag } = useShownObject();
  const client = useQueryClient();
  const [failure, setFailure] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const { queryKey } = objectQuery(entity, object.Id);
  const body = { Id: object.Id, ...draft.changed };
  const refresh = async () => {
    // A connection is a value of its other side, too.
    for (const changed of ['object', 'connected', 'history'])
      await client.invalidateQueries({ queryKey: [changed] });
    void client.invalidateQueries({ queryKey: ['objects', entity.key] });
  };
  const connect =
    (cuts: readonly Cut[], idsOf: (cut: Cut, now: readonly number[]) => readonly number[]) => async () => {
      const { object: now } = await client.fetchQuery({ ...objectQuery(entity, object.Id), staleTime: 0 });
      const values = cuts.map((cut) => [cut.field, idsOf(cut, numbersIn(now[cut.field]))] as const);
      await sendObject(entity, 'update', { Id: object.Id, ...Object.fromEntries(values) });
      await refresh();
    };
  const offerReconnection = (cuts: readonly Cut[]) => {
    const count = cutCount(cuts);
    const what = `${count === 1 ? 'A connection' : `${countText(count)} connections`} of ${objectName(object)}`;
    const verb = count === 1 ? 'was' : 'were';
    offerUndo(
      { text: `${what} ${verb} cut`, run: connect(cuts, ({ after }) => after) },
      { text: `${what} ${verb} restored`, run: connect(cuts, restored) },
    );
  };
  const save = async () => {
    setSaving(true);
    setFailure(undefined);
    try {
      const cuts = cutsIn(fieldsOf(entity), object, draft.changed);
      await sendObject(entity, 'update', body, { tag, key: crypto.randomUUID() });
      await refresh();
      draft.clear();
      announce('Saved');
      if (cuts.length > 0) offerReconnection(cuts);
    } catch (error) {
      setFailure(asError(error));
      const isChanged = error instanceof CallError && error.status === changedMeanwhile;
      if (isChanged) await client.invalidateQueries({ queryKey });
    } finally {
      setSaving(false);
    }
  };
  return { body, save, failure, isSaving };
}

/** What is changed and not saved of the object that is shown, with what can be done about it. */
export function UnsavedChanges({
  draft,
  checked,
}: {
  readonly draft: DraftValues;
  readonly checked: CheckResult;
}) {
  const { entity, tag } = useShownObject();
  const { body, save, failure, isSaving } = useSave(draft);
  const hasConflicts = draft.conflicts.length > 0;
  return (
    <SaveBar
      changes={Object.keys(draft.changed).length}
      faults={checked.faults.length}
      failure={hasConflicts ? undefined : failure}
      isSaving={isSaving}
      isBlocked={hasConflicts}
      onSave={() => void save()}
      onDiscard={draft.clear}
      extra={<ApiCall calls={{ Save: changeRequest(entity, 'update', body, { tag }) }} />}
    >
      <Conflicts entity={entity} draft={draft} />
    </SaveBar>
  );
}
