import { Badge, Button, Group, Pagination, SegmentedControl, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { entityOf } from '../field-tables.ts';
import { Difference, Differences } from '../parts/difference.tsx';
import { countText, titleOf } from '../parts/value-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import type { ConfigPlan, PlanEntry } from './config-question.ts';
import { changeTexts } from './plan-text.ts';
import classes from './plan-view.module.css';
import type { usePlan } from './use-plan.ts';

type Operation = PlanEntry['Operation'];

/** Each operation before and after it is done. */
const words: Readonly<Record<Operation, readonly [planned: string, done: string]>> = {
  add: ['to add', 'added'],
  update: ['to change', 'changed'],
  activate: ['to activate', 'activated'],
  deactivate: ['to deactivate', 'deactivated'],
  unmanaged: ['left alone', 'left alone'],
};
const colors: Readonly<Record<Operation, string>> = {
  add: 'teal',
  update: 'indigo',
  activate: 'teal',
  deactivate: 'orange',
  unmanaged: 'gray',
};
const operations = Object.keys(words) as readonly Operation[];
const entriesPerPage = 50;

interface ViewProps {
  readonly plan: ReturnType<typeof usePlan>;
  readonly result: ConfigPlan;
  readonly onApply: () => void;
}

/** What a document does, object by object. */
export function PlanView({ plan, result: { Plan: entries, Warnings = [] }, onApply }: ViewProps) {
  const may = mayChange(useAccount());
  const [chosen, setChosen] = useState<string>('changes');
  const isDone = plan.isDone ?? false;
  const changes = entries.filter(({ Operation }) => Operation !== 'unmanaged');
  const shown = chosen === 'changes' ? changes : entries.filter(({ Operation }) => Operation === chosen);
  const counts = operations.map((operation) => ({
    value: operation,
    count: entries.filter(({ Operation }) => Operation === operation).length,
  }));
  const choices = [
    { value: 'changes', label: `All changes ${countText(changes.length)}` },
    ...counts
      .filter(({ count }) => count > 0)
      .map(({ value, count }) => ({
        value,
        label: `${countText(count)} ${words[value][isDone ? 1 : 0]}`,
      })),
  ];
  return (
    <Stack gap="md">
      {plan.isAnew && (
        <Text c="orange" size="sm" role="alert">
          The team has changed in the meantime, so nothing was applied. This is what the document would do
          now.
        </Text>
      )}
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="Which objects"
          data={choices}
          value={chosen}
          onChange={setChosen}
        />
        {isDone ? (
          <Text c="teal" fw={600} role="status">
            Applied
          </Text>
        ) : (
          <Button
            disabled={!may || changes.length === 0}
            loading={plan.isPending}
            title={may ? undefined : analystReason}
            onClick={onApply}
          >
            {changes.length === 1 ? 'Apply 1 change' : `Apply ${countText(changes.length)} changes`}
          </Button>
        )}
      </Group>
      {changes.length === 0 && !isDone && (
        <Text size="sm">The team already matches the document: there is nothing to change.</Text>
      )}
      {Warnings.map(({ Entity, Key, Field, Message }) => (
        <Text key={Entity + Key + Field} size="sm" c="orange">
          {entityOf(Entity)?.title ?? Entity} {Key}: {titleOf(Field)} {Message}
        </Text>
      ))}
      <Entries key={chosen} entries={shown} isDone={isDone} />
    </Stack>
  );
}

function Entries({ entries, isDone }: { readonly entries: readonly PlanEntry[]; readonly isDone: boolean }) {
  const [page, setPage] = useState(1);
  const pages = Math.ceil(entries.length / entriesPerPage);
  const from = (page - 1) * entriesPerPage;
  return (
    <>
      <div>
        {entries.slice(from, from + entriesPerPage).map((entry) => (
          <Entry key={`${entry.Operation}${entry.Entity}${entry.Key}`} entry={entry} isDone={isDone} />
        ))}
      </div>
      {pages > 1 && <Pagination size="sm" total={pages} value={page} onChange={setPage} />}
    </>
  );
}

function Entry({ entry, isDone }: { readonly entry: PlanEntry; readonly isDone: boolean }) {
  const { Operation, Entity, Key, Id, Changes } = entry;
  return (
    <article className={classes.entry}>
      <Group gap="xs">
        <Badge variant="light" color={colors[Operation]}>
          {words[Operation][isDone ? 1 : 0]}
        </Badge>
        <Text size="sm" c="dimmed">
          {entityOf(Entity)?.title ?? Entity}
        </Text>
        {Id > 0 ? (
          <Link to="/console/$entity/$id" params={{ entity: Entity, id: String(Id) }} className={classes.key}>
            {Key}
          </Link>
        ) : (
          <Text size="sm" fw={500}>
            {Key}
          </Text>
        )}
      </Group>
      {Changes.length > 0 && (
        <Differences>
          {Changes.map(({ Field, Old, New }) => (
            <Difference key={Field} name={titleOf(Field)} {...changeTexts(Old, New)} />
          ))}
        </Differences>
      )}
    </article>
  );
}
