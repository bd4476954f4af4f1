import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call.ts';
import { objectQuery, objectsQuery, sendObject } from '../../api/objects.ts';
import { announce } from '../../shell/announcements.ts';
import { useShownObject } from '../object-context.ts';
import { ApiCall } from './api-call.tsx';
import { Conflicts } from './conflicts.tsx';
import { useDraft } from './draft.ts';
import { SaveBar } from './save-bar.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useCheck } from './use-check.ts';

const changedMeanwhile = 412;

/** The fields of an object, changed and saved together. */
export function SettingsTab() {
  const { entity, object, tag } = useShownObject();
  const { field } = useSearch({ from: '/console/$entity/$id/' });
  const client = useQueryClient();
  const draft = useDraft(`${entity.key}-${object.Id}`, object);
  const [failure, setFailure] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const names = Object.keys(draft.changed);
  const body = { Id: object.Id, ...draft.changed };
  const checked = useCheck(entity, 'update', body, names.length > 0);
  const { queryKey } = objectQuery(entity, object.Id);
  const save = async () => {
    setSaving(true);
    setFailure(undefined);
    try {
      await sendObject(entity, 'update', body, { tag, key: crypto.randomUUID() });
      await client.invalidateQueries({ queryKey });
      draft.clear();
      void client.invalidateQueries({ queryKey: objectsQuery(entity).queryKey });
      announce('Saved');
    } catch (error) {
      setFailure(error as Error);
      if (error instanceof CallError && error.status === changedMeanwhile) await client.invalidateQueries({ queryKey });
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      <SettingsForm
        entity={entity}
        values={{ ...object, ...draft.changed }}
        stored={object}
        checked={checked}
        focused={field}
        onChange={draft.set}
      />
      <SaveBar
        changes={names.length}
        faults={checked.faults.length}
        failure={draft.conflicts.length > 0 ? undefined : failure}
        isSaving={isSaving}
        isBlocked={draft.conflicts.length > 0}
        onSave={() => void save()}
        onDiscard={draft.clear}
        extra={<ApiCall entity={entity} operation="update" values={body} tag={tag} />}
      >
        <Conflicts entity={entity} draft={draft} />
      </SaveBar>
    </>
  );
}
