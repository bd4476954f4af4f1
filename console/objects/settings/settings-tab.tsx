import { useSearch } from '@tanstack/react-router';
import { useShownObject } from '../object-context.ts';
import { useDraft } from './draft.ts';
import { SettingsForm } from './settings-form.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';
import { useChangeCheck } from './use-check.ts';

/** The fields of an object, changed and saved together. */
export function SettingsTab() {
  const { entity, object } = useShownObject();
  const { field } = useSearch({ from: '/console/$entity/$id/' });
  const draft = useDraft(`${entity.key}-${object.Id}`, object);
  const { changed } = draft;
  const checked = useChangeCheck(entity, object, changed);
  return (
    <>
      <SettingsForm
        entity={entity}
        values={{ ...object, ...changed }}
        stored={object}
        checked={checked}
        focused={field}
        onChange={draft.set}
      />
      <UnsavedChanges draft={draft} checked={checked} />
    </>
  );
}
