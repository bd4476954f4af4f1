import type { TeamReads } from '../../store/interface.ts';
import type { Connections } from './agreement.ts';
import type { Draft } from './draft.ts';
import { connectedKeys } from './export.ts';
import type { Managers } from './managers.ts';
import { isKept, isSame, type Member, membersOf, writtenValue } from './members.ts';
import { type Held, readText, type TeamObjects } from './team-objects.ts';

/** One member of an object, as it is and as it is to be, both in the form of the document. */
export interface Change {
  readonly Field: string;
  readonly Old: unknown;
  readonly New: unknown;
}

interface Reading {
  readonly reads: TeamReads;
  readonly team: TeamObjects;
  readonly managers: Managers;
}

interface Sides {
  readonly draft: Draft;
  readonly held: Held;
  readonly connections: Connections;
}

type FromTo = readonly [from: unknown, to: unknown];

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

function counted(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** How a text of many lines changes, in a few words. */
function textSummary(from: string, to: string): FromTo {
  const [old, next] = [linesOf(from), linesOf(to)];
  const [oldLines, nextLines] = [new Set(old), new Set(next)];
  const added = next.filter((line) => !oldLines.has(line)).length;
  const removed = old.filter((line) => !nextLines.has(line)).length;
  const how = added + removed === 0 ? 'in another order' : `${added} added, ${removed} removed`;
  return [counted(old.length), `${counted(next.length)} (${how})`];
}

/** A credential: only whether there is one. */
function masked(value: unknown): unknown {
  return value === '' ? '' : '(not shown)';
}

/** A member's value as it is and as it is to be, where these differ. */
async function change(reading: Reading, sides: Sides, member: Member): Promise<FromTo | undefined> {
  const { reads, team, managers } = reading;
  const { draft, held, connections } = sides;
  const { document, derived, account } = held.object;
  const differing = (from: unknown, to: unknown): FromTo | undefined =>
    isSame(from, to) ? undefined : [from, to];
  switch (member.kind) {
    case 'value': {
      const next = draft.intake.document;
      if (isKept(member) && !Object.hasOwn(next, member.fieldName)) return undefined;
      const values = differing(
        writtenValue(member, document[member.fieldName]),
        writtenValue(member, next[member.fieldName]),
      );
      return values && isKept(member) ? [masked(values[0]), masked(values[1])] : values;
    }
    case 'text': {
      const [from, to] = [await readText(reads, held), draft.intake.lines?.parts.join('\n') ?? ''];
      return from === to ? undefined : textSummary(from, to);
    }
    case 'reference':
      return differing(
        team.keyOf(member.to, Number(document[member.fieldName])),
        draft.references[member.name],
      );
    case 'connection':
      return differing(
        connectedKeys(team, member.place.to, derived[member.fieldName]),
        connections[member.fieldName],
      );
    case 'manager':
      if (draft.managerId === undefined || draft.managerId === account.managerId) return undefined;
      return [await managers.mailOf(account.managerId), await managers.mailOf(draft.managerId)];
  }
}

/** What of an object the document would change, in the order of its members. */
export async function changesOf(reading: Reading, sides: Sides): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const member of membersOf(sides.draft.entity)) {
    const values = await change(reading, sides, member);
    if (values) changes.push({ Field: member.name, Old: values[0], New: values[1] });
  }
  return changes;
}
