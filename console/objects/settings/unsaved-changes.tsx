import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call.ts';
import { changeRequest, objectQuery, sendObject } from '../../api/objects.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { asError } from '../../parts/faults.ts';
import { announce } from '../../shell/announcements.ts';
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
  const save = async () => {
    setSaving(true);
    setFailure(undefined);
    try {
      await sendObject(entity, 'update', body, { tag, key: crypto.randomUUID() });
      // A connection is a value of its other side, too.
      for (const changed of ['object', 'connected', 'history'])
        await client.invalidateQueries({ queryKey: [changed] });
      draft.clear();
      void client.invalidateQueries({ queryKey: ['objects', entity.key] });
      announce('Saved');
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
