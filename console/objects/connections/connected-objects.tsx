import { ActionIcon, Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, GripVertical, Plus, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { FigureValues } from '../../../src/statistics/figure-values.ts';
import { type Candidate, connectedQuery } from '../../api/connected.ts';
import { pairFiguresQuery } from '../../api/figures.ts';
import { numbersIn } from '../../api/values.ts';
import { entityOf, type ShownEntity, type ShownField } from '../../field-tables.ts';
import { funnelOf } from '../../funnel/funnel-search.ts';
import { pluralOf } from '../../parts/object-name.ts';
import { countText, moneyText } from '../../parts/value-text.ts';
import { mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { announce } from '../../shell/announcements.ts';
import { useShownObject } from '../object-context.ts';
import type { DraftValues } from '../settings/draft.ts';
import { RuleRefusalNote } from '../why/rule-refusal-note.tsx';
import { Candidates } from './candidates.tsx';
import classes from './connections-tab.module.css';

function moved(ids: readonly number[], from: number, to: number): readonly number[] {
  const id = ids[from];
  if (id === undefined || to < 0 || to >= ids.length) return ids;
  return ids.toSpliced(from, 1).toSpliced(to, 0, id);
}

interface ConnectedObjectsProps {
  readonly field: ShownField;
  readonly draft: DraftValues;
}

/** The objects of one kind that are connected, in their order, and a way to connect more. */
export function ConnectedObjects({ field, draft }: ConnectedObjectsProps) {
  const { object } = useShownObject();
  const other = entityOf(field.references ?? '');
  const may = mayChange(useAccount());
  const [isAdding, { open, close }] = useDisclosure();
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const ids = numbersIn(draft.changed[field.name] ?? object[field.name]);
  if (!other) return null;
  const set = (next: readonly number[]) => draft.set(field.name, next);
  const connect = ({ Id, Name }: Candidate) => {
    setNames((before) => new Map([...before, [Id, Name]]));
    set([...ids, Id]);
    announce(`${Name} connected`);
  };
  return (
    <section>
      <Group justify="space-between" align="flex-end" mb="xs">
        <Title order={2} size="h4">
          {pluralOf(other)}{' '}
          <Text component="span" c="dimmed" size="sm">
            {ids.length || 'none'}
          </Text>
        </Title>
        <Group gap="xs">
          {may && ids.length > 1 && (
            <Button variant="subtle" color="gray" size="xs" onClick={() => set([])}>
              Disconnect all<span className="visually-hidden"> {pluralOf(other)}</span>
            </Button>
          )}
          <Button variant="default" size="xs" leftSection={<Plus size={14} />} disabled={!may} onClick={open}>
            Connect…
          </Button>
        </Group>
      </Group>
      <Pairs other={other} field={field} ids={ids} names={names} onChange={may ? set : undefined} />
      <Candidates
        other={other}
        field={field}
        chosen={ids}
        isOpen={isAdding}
        onClose={close}
        onChoose={connect}
      />
    </section>
  );
}

interface PairsProps {
  readonly other: ShownEntity;
  readonly field: ShownField;
  readonly ids: readonly number[];
  /** Names of those that were connected just now. */
  readonly names: ReadonlyMap<number, string>;
  /** Absent for who may change nothing. */
  readonly onChange: ((ids: readonly number[]) => void) | undefined;
}

const shownAtFirst = 100;

function Pairs({ other, field, ids, names, onChange }: PairsProps) {
  const { entity, object } = useShownObject();
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(
    connectedQuery(entity, { id: object.Id, field: field.name, isConnected: true }),
  );
  const known = useMemo(
    () => new Map(data?.pages.flatMap(({ rows }) => rows.map((row) => [row.Id, row] as const))),
    [data],
  );
  const [dragged, setDragged] = useState<number>();
  const [isAll, setAll] = useState(false);
  const shown = isAll ? ids : ids.slice(0, shownAtFirst);
  const { data: figures } = useQuery(pairFiguresQuery(entity.key, object.Id));
  const drop = (to: number) => {
    if (dragged !== undefined) onChange?.(moved(ids, dragged, to));
    setDragged(undefined);
  };
  return (
    <>
      <ol className={classes.list}>
        {shown.map((id, index) => (
          <li
            key={id}
            className={classes.item}
            draggable={onChange !== undefined}
            data-dragged={dragged === index || undefined}
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => drop(index)}
          >
            {onChange && <GripVertical size={14} className={classes.grip} aria-hidden />}
            <Pair
              id={id}
              name={known.get(id)?.Name ?? names.get(id) ?? ''}
              other={other}
              row={known.get(id)}
            />
            <PairFigures today={figures?.get(`${other.key}/${id}`)?.Today} />
            <Text size="sm" className={classes.figure}>
              <Link
                to="/console/funnel"
                search={{ ...funnelOf(entity.key, object.Id), ...funnelOf(other.key, id) }}
                aria-label={`Funnel with ${known.get(id)?.Name || id}`}
              >
                Funnel
              </Link>
            </Text>
            {onChange && <Controls ids={ids} index={index} onChange={onChange} />}
          </li>
        ))}
      </ol>
      {(ids.length > shown.length || hasNextPage) && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => {
            setAll(true);
            void fetchNextPage();
          }}
        >
          Show more of {ids.length}
        </Button>
      )}
    </>
  );
}

interface PairProps {
  readonly id: number;
  readonly name: string;
  readonly other: ShownEntity;
  readonly row: Candidate | undefined;
}

function Pair({ id, name, other, row }: PairProps) {
  return (
    <div className={classes.name}>
      <Group gap="xs">
        <Link to="/console/$entity/$id" params={{ entity: other.key, id: String(id) }}>
          {name || `ID ${id}`}
        </Link>
        <Text size="xs" c="dimmed">
          {[id, row?.Status === 1 ? 'inactive' : ''].filter(Boolean).join(' · ')}
        </Text>
      </Group>
      {row?.NeverMatches.map((refusal) => (
        <div key={refusal.Rule + refusal.Field}>
          <Text size="xs" c="orange" fw={600}>
            can never match
          </Text>
          <RuleRefusalNote refusal={refusal} entity={other} id={id} />
        </div>
      ))}
    </div>
  );
}

/** What two objects have counted with each other today: impressions, revenue, and what a thousand paid. */
function PairFigures({ today }: { readonly today: FigureValues | undefined }) {
  if (!today) return null;
  const { Bids, Impressions, Revenue, Ecpm } = today;
  return (
    <Text size="sm" c="dimmed" className={classes.figure} title="Today, for this pair only">
      {Ecpm !== null
        ? `${countText(Impressions)} shown, ${moneyText(Revenue)} at ${moneyText(Ecpm)} CPM`
        : `${countText(Bids)} bids, none shown`}
    </Text>
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
    <Group gap={2} wrap="nowrap" className={classes.controls}>
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
