import { ActionIcon, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useMemo } from 'react';
import { objectsQuery, type Stored } from '../../api/objects.ts';
import { entityOf, type ShownField } from '../../field-tables.ts';
import { isActive, nameOf, ownerNameOf, pluralOf } from '../../parts/object-name.ts';
import { mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import { type DraftValues, useDraft } from '../settings/draft.ts';
import { Unsaved } from '../settings/unsaved.tsx';
import { useCheck } from '../settings/use-check.ts';
import classes from './connections-tab.module.css';

/** The other side: which objects are connected, in which order, and which pairs can never match. */
export function ConnectionsTab() {
  const { entity, object } = useShownObject();
  const draft = useDraft(`${entity.key}-${object.Id}`, object);
  const { changed } = draft;
  const checked = useCheck(entity, 'update', { Id: object.Id, ...changed }, Object.keys(changed).length > 0);
  const fields = entity.fields.filter(
    ({ section, place }) => section === 'Connections' && place === 'connection',
  );
  return (
    <Stack gap="xl" maw={860} pb={96}>
      {fields.map((field) => (
        <Connected key={field.name} field={field} draft={draft} />
      ))}
      {checked.warnings.map(({ Path, Message }) => (
        <Text key={Path + Message} size="sm" c="orange" role="status">
          {Message}
        </Text>
      ))}
      <Unsaved draft={draft} checked={checked} />
    </Stack>
  );
}

function moved(ids: readonly number[], from: number, to: number): readonly number[] {
  const id = ids[from];
  if (id === undefined || to < 0 || to >= ids.length) return ids;
  return ids.toSpliced(from, 1).toSpliced(to, 0, id);
}

function Connected({ field, draft }: { readonly field: ShownField; readonly draft: DraftValues }) {
  const { object } = useShownObject();
  const other = entityOf(field.references ?? '');
  const may = mayChange(useAccount());
  const { data = [] } = useQuery({
    ...objectsQuery(other as NonNullable<typeof other>),
    enabled: other !== undefined,
  });
  const ids = (draft.changed[field.name] ?? object[field.name] ?? []) as readonly number[];
  const known = useMemo(() => new Map(data.map((one) => [one.Id, one])), [data]);
  if (!other) return null;
  const free = data.filter(({ Id }) => !ids.includes(Id));
  const set = (next: readonly number[]) => draft.set(field.name, next);
  const title = pluralOf(other);
  return (
    <section>
      <Group justify="space-between" align="flex-end" mb="xs">
        <Title order={2} size="h4">
          {title}{' '}
          <Text component="span" c="dimmed" size="sm">
            {ids.length || 'none'}
          </Text>
        </Title>
        <Select
          w={320}
          size="xs"
          aria-label={`Connect ${title}`}
          placeholder={free.length > 0 ? `Connect one of ${free.length} more…` : `All ${title} are connected`}
          disabled={!may || free.length === 0}
          searchable
          limit={100}
          data={free.map((one) => ({ value: String(one.Id), label: `${nameOf(one)} (${one.Id})` }))}
          value={null}
          onChange={(id) => id && set([...ids, Number(id)])}
        />
      </Group>
      <ol className={classes.list}>
        {ids.map((id, index) => (
          <li key={id} className={classes.item}>
            <Pair id={id} one={known.get(id)} entityKey={other.key} owner={ownerOf(other, known.get(id))} />
            {may && <Controls ids={ids} index={index} onChange={set} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ControlsProps {
  readonly ids: readonly number[];
  readonly index: number;
  readonly onChange: (ids: readonly number[]) => void;
}

function Controls({ ids, index, onChange }: ControlsProps) {
  const common = { variant: 'subtle', color: 'gray', size: 'sm' } as const;
  const last = ids.length - 1;
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        {...common}
        aria-label="Earlier"
        disabled={index === 0}
        onClick={() => onChange(moved(ids, index, index - 1))}
      >
        <ArrowUp size={14} />
      </ActionIcon>
      <ActionIcon
        {...common}
        aria-label="Later"
        disabled={index === last}
        onClick={() => onChange(moved(ids, index, index + 1))}
      >
        <ArrowDown size={14} />
      </ActionIcon>
      <ActionIcon {...common} aria-label="Disconnect" onClick={() => onChange(ids.toSpliced(index, 1))}>
        <X size={14} />
      </ActionIcon>
    </Group>
  );
}

const ownerOf = (other: NonNullable<ReturnType<typeof entityOf>>, one: Stored | undefined) =>
  one ? ownerNameOf(other, one) : '';

interface PairProps {
  readonly id: number;
  readonly one: Stored | undefined;
  readonly entityKey: string;
  readonly owner: string;
}

function Pair({ id, one, entityKey, owner }: PairProps) {
  return (
    <Group gap="xs" className={classes.name}>
      <Link to="/console/$entity/$id" params={{ entity: entityKey, id: String(id) }}>
        {one ? nameOf(one) : `ID ${id}`}
      </Link>
      <Text size="xs" c="dimmed">
        {[id, owner, one && !isActive(one) ? 'inactive' : ''].filter(Boolean).join(' · ')}
      </Text>
    </Group>
  );
}
