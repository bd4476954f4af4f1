import { setImmediate as turn } from 'node:timers/promises';
import type { Entity } from '../../entities/entity.ts';
import { invalid } from '../../fields/fault.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { StoredObject } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { compileConditions } from './conditions.ts';
import { type ListedValues, openListedValues } from './listed-values.ts';
import { cursorQuestion, type Question } from './listing.ts';
import { objectBatches } from './object-batches.ts';
import { comparePositions, type Position, positionOf } from './order.ts';
import { createTimeSlice } from './time-slice.ts';
import { hasWords, wordFields } from './words.ts';

/** In memory, for an order. */
const matchesMax = 250_000;
/** About what a place takes in memory. */
const positionBytes = 100;

function namesOf(entity: Entity, { conditions, words, sort }: Question): readonly string[] {
  const searched = words.length > 0 ? wordFields(entity) : [];
  const asked = [...conditions.map(({ field }) => field.name), ...sort.map(({ name }) => name)];
  return [...new Set([...asked, ...searched])];
}

function placesOf(
  entity: Entity,
  { store }: Context,
  teamId: number,
  { filter, conditions, words, sort, values }: Question & { readonly values: ListedValues },
) {
  const isMet = compileConditions(conditions);
  const searched = wordFields(entity);
  const make = async (objects: readonly StoredObject[]) => {
    const shown = await values.read(objects);
    const found: Position[] = [];
    const slice = createTimeSlice();
    for (const [index, { id }] of objects.entries()) {
      const own = shown[index] ?? {};
      const isFound = words.length === 0 || hasWords(words, searched, own, id);
      if (isFound && isMet(own)) found.push(positionOf(sort, own, id));
      await slice.rest();
    }
    return found;
  };
  return objectBatches({ store, entity, teamId, fields: values.fields, filter }, make);
}

function merged<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  const all: T[] = [];
  let at = 0;
  for (const value of one) {
    for (let next = other[at]; next !== undefined && compare(next, value) < 0; next = other[at]) {
      all.push(next);
      at += 1;
    }
    all.push(value);
  }
  return at === 0 ? [...all, ...other] : all.concat(other.slice(at));
}

/** Merges sorted batches two by two, with ticks between. */
async function inOneOrder<T>(lots: readonly (readonly T[])[], compare: (a: T, b: T) => number) {
  let runs = lots;
  while (runs.length > 1) {
    const next: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      next.push(merged(runs[index] ?? [], runs[index + 1] ?? [], compare));
      await turn();
    }
    runs = next;
  }
  return runs[0] ?? [];
}

/** Without `compare` they are sorted already. */
interface Places {
  readonly key: string;
  /** What they depend on, like cached answers. */
  readonly state: string;
  readonly lots: AsyncIterable<Position[]>;
  readonly compare: ReturnType<typeof comparePositions> | undefined;
}

/** Sorted, and cached until something changes. Refuses too many with `invalid`. */
async function collectPlaces(
  { cache }: Pick<Context, 'cache'>,
  { key, state, lots, compare }: Places,
): Promise<readonly Position[]> {
  const collect = async () => {
    const found: Position[][] = [];
    let count = 0;
    for await (const lot of lots) {
      count += lot.length;
      if (count > matchesMax) {
        const Message = `must be sent and narrow the result to fewer than ${matchesMax} objects`;
        throw invalid([{ Path: 'Filter', Code: 'required', Message }]);
      }
      found.push(compare ? lot.sort(compare) : lot);
    }
    const positions = compare ? await inOneOrder(found, compare) : found.flat();
    return { json: '', positions, bytes: positions.length * positionBytes };
  };
  return (await cache.getOrMake(`places/${key}`, state, collect)).positions;
}

/**
 * In the question's order. SQL reads, this thread compares: sorting a hundred thousand SQLite rows would block
 * auctions, and both databases order alike.
 */
export async function findMatches(
  entity: Entity,
  context: Context,
  caller: Bearer,
  question: Question,
): Promise<readonly Position[]> {
  const { teamId } = caller;
  const { sort } = question;
  const values = await openListedValues(entity, context, caller, namesOf(entity, question));
  return collectPlaces(context, {
    key: `${teamId}/${JSON.stringify(cursorQuestion(entity, question))}`,
    state: values.state,
    lots: placesOf(entity, context, teamId, { ...question, values }),
    compare: sort.length === 0 ? undefined : comparePositions(sort),
  });
}
