import { Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { ShownEntity } from '../../field-tables.ts';
import { fieldsOf } from '../../fields.ts';
import { useContent } from '../../parts/content.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { historyQuery } from '../history/history.ts';
import { useShownObject } from '../object-context.ts';
import { textSource } from './ask-lines.ts';
import { ChangeLines, type Mode } from './change-lines.tsx';
import { FoundLines } from './found-lines.tsx';
import type { LinesSearch } from './lines-search.ts';
import classes from './lines-tab.module.css';
import { SaveLines, TakeLines } from './save-lines.tsx';
import { type Version, VersionChoice, versionsOf } from './versions.tsx';

/** The lines of a list: searched, compared with those of before, replaced or added to. */
export function LinesTab() {
  const { entity, object } = useShownObject();
  const search = useSearch({ from: '/console/$entity/$id/lines' });
  const navigate = useNavigate();
  const show = (changed: LinesSearch) =>
    void navigate({ to: '.', search: { ...search, page: undefined, ...changed }, replace: true });
  const field = fieldsOf(entity).find(({ place }) => place === 'listText');
  const lines = useContent(`${entity.key}-${object.Id}-lines`);
  const [mode, setMode] = useState<Mode>('add');
  const { data: changes = [], error } = useQuery(historyQuery({ Entity: entity.key, Id: object.Id }));
  const versions = versionsOf(changes);
  const older = versions.find(({ revision }) => revision === search.since);
  if (!field) return null;
  return (
    <div className={classes.layout}>
      <Stack gap="md" component="section" aria-label="Lines">
        <Group gap="sm">
          <TextInput
            w={{ base: '100%', sm: 320 }}
            aria-label="Search the lines"
            placeholder="Lines that contain…"
            leftSection={<Search size={16} />}
            value={search.q ?? ''}
            onChange={({ currentTarget }) => show({ q: currentTarget.value || undefined })}
          />
          <VersionChoice versions={versions} search={search} onChange={show} />
          {older ? (
            <TakeLines
              version={older}
              onTaken={(file) => {
                lines.set({ ...lines.content, file });
                setMode('replace');
              }}
            />
          ) : (
            <SaveLines />
          )}
        </Group>
        {error && <ErrorNote error={error} />}
        <ShownLines versions={versions} search={search} onChange={show} />
      </Stack>
      <ChangeLines key={object.Id} field={field} mode={mode} onMode={setMode} lines={lines} />
    </div>
  );
}

interface ShownLinesProps {
  readonly versions: readonly Version[];
  readonly search: LinesSearch;
  readonly onChange: (changed: LinesSearch) => void;
}

function versionSource(entity: ShownEntity, id: number, versions: readonly Version[], revision?: number) {
  const version = versions.find((one) => one.revision === revision);
  return version && textSource(entity, id, String(version.revision), version.time);
}

function ShownLines({ versions, search, onChange }: ShownLinesProps) {
  const { entity, object, tag } = useShownObject();
  const { q = '', page = 1, since, until, side } = search;
  const query = useDeferredValue(q);
  const now = textSource(entity, object.Id, tag);
  const newer = versionSource(entity, object.Id, versions, until) ?? now;
  const older = versionSource(entity, object.Id, versions, since);
  const common = { query, page, onPage: (next: number) => onChange({ page: next }) };
  if (!older) return <FoundLines of={newer} {...common} emptyText="The list is empty." />;
  return (
    <>
      <SegmentedControl
        w="fit-content"
        size="xs"
        aria-label="Lines that differ"
        data={[
          { value: 'added', label: 'Added since' },
          { value: 'removed', label: 'Removed since' },
        ]}
        value={side ?? 'added'}
        onChange={(value) => onChange({ side: value === 'removed' ? value : undefined })}
      />
      {side === 'removed' ? (
        <FoundLines of={older} without={newer} {...common} emptyText="No line was removed." />
      ) : (
        <FoundLines of={newer} without={older} {...common} emptyText="No line was added." />
      )}
    </>
  );
}
