import { Refusal } from '../../fields/fault.ts';
import type { ConfigPlan, PlanEntry, PlanWarning } from '../../management/config/plan-entry.ts';

const charactersShownMax = 200;
const operations = ['add', 'update', 'activate', 'deactivate'] as const;
type Operation = (typeof operations)[number];
const pastTense: Readonly<Record<Operation, string>> = {
  add: 'added',
  update: 'updated',
  activate: 'activated',
  deactivate: 'deactivated',
};

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > charactersShownMax ? `${text.slice(0, charactersShownMax)}…` : text;
}

function linesOf({ Operation, Entity, Key, Changes }: PlanEntry): string[] {
  const note = Operation === 'unmanaged' ? ' (not in the file, left alone)' : '';
  const changes = Changes.map(({ Field, Old, New }) => `    ${Field}: ${shown(Old)} → ${shown(New)}`);
  return [`${Operation.padEnd('deactivate'.length)}  ${Entity} ${shown(Key)}${note}`, ...changes];
}

function summary(entries: readonly PlanEntry[], word: (operation: Operation) => string): string {
  const counts = operations.flatMap((operation) => {
    const count = entries.filter(({ Operation }) => Operation === operation).length;
    return count === 0 ? [] : [`${count} ${word(operation)}`];
  });
  return counts.join(', ');
}

const warningLine = ({ Entity, Key, Field, Message }: PlanWarning) =>
  `Warning: ${Field} of ${Entity} ${shown(Key)} ${Message}`;

/** For people; `isDone`: what was done. */
export function planText({ entries, warnings }: ConfigPlan, { isDone }: { isDone: boolean }): string {
  const lines = entries.flatMap(linesOf);
  const counts = summary(entries, (operation) => (isDone ? pastTense[operation] : `to ${operation}`));
  const nothing = isDone ? 'Nothing was changed' : 'Nothing to change';
  return [...lines, ...warnings.map(warningLine), counts === '' ? nothing : counts].join('\n');
}

export function withFaultsOnLines(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.faults.length === 0) return error;
  const lines = error.faults.map(({ Path, Message }) => (Path === '' ? Message : `${Path} ${Message}`));
  return new Error(lines.join('\n'), { cause: error });
}
