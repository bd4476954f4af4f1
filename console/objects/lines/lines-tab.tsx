import { Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useDeferredValue } from 'react';
import type { ShownEntity } from '../../field-tables.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { historyQuery } from '../history/history.ts';
import { useShownObject } from '../object-context.ts';
import { textSource } from './ask-lines.ts';
import { ChangeLines } from './change-lines.tsx';
import { FoundLines } from './found-lines.tsx';
import classes from './lines-tab.module.css';
import { SaveLines } from './save-lines.tsx';
import { type Version, VersionChoice, versionsOf } from './versions.tsx';

/** What the address of a list's lines says. */
export interface LinesSearch {
  /** A text that the lines are to contain. */
  readonly q?: string | undefined;
  /** From 1. */
  readonly page?: number | undefined;
  /** Revision of the version that another one is compared with. */
  readonly since?: number | undefined;
  /** Revision of that other one; absent for the lines as they are. */
  readonly until?: number | undefined;
  /** Which lines of a comparison are shown; absent for those that were added. */
  readonly side?: 'removed' | undefined;
}

/** The lines of a list: searched, compared with those of before, replaced or added to. */
export function LinesTab() {
  const { entity, object } = useShownObject();
  const search = useSearch({ from: '/console/$entity/$id/lines' });
  const navigate = useNavigate();
  const show = (changed: LinesSearch) =>
    void navigate({ to: '.', search: { ...search, page: undefined, ...changed }, replace: true });
  const field = entity.fields.find(({ place }) => place === 'listText');
  const { data: changes = [], error } = useQuery(historyQuery({ Entity: entity.key, Id: object.Id }));
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
          <VersionChoice versions={versionsOf(changes)} search={search} onChange={show} />
          <SaveLines />
        </Group>
        {error && <ErrorNote error={error} />}
        <Shown versions={versionsOf(changes)} search={search} onChange={show} />
      </Stack>
      <ChangeLines key={object.Id} field={field} />
    </div>
  );
}

interface ShownProps {
  readonly versions: readonly Version[];
  readonly search: LinesSearch;
  readonly onChange: (changed: LinesSearch) => void;
}

function versionSource(entity: ShownEntity, id: number, versions: readonly Version[], revision?: number) {
  const version = versions.find((one) => one.revision === revision);
  return version && textSource(entity, id, String(version.revision), version.time);
}

function Shown({ versions, search, onChange }: ShownProps) {
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
