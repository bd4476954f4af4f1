import { setImmediate as turn } from 'node:timers/promises';
import type { Entity } from '../../entities/entity.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Context } from '../context.ts';
import { fieldsIn } from '../schemas.ts';
import { writeCursor } from './cursor.ts';
import { openListedValues } from './listed-values.ts';
import { cursorQuestion, type Listing, type Question } from './listing.ts';
import { findMatches } from './matches.ts';
import { comparePositions, indexAfter, type Position } from './order.ts';

const rowsPerPage = 200;

export interface ListPage {
  readonly ids: readonly number[];
  readonly headers: Readonly<Record<string, string>>;
}

interface PageQuestion {
  readonly question: unknown;
  readonly after: Position | undefined;
  /** 0 = all. */
  readonly limit: number;
  readonly compare: ReturnType<typeof comparePositions>;
}

/** `total`: of all pages; after the last page there is no cursor. */
function pageWith(page: readonly Position[], total: number, question: unknown, isLast: boolean): ListPage {
  const last = page.at(-1);
  const headers = {
    'bourse-total': String(total),
    ...(isLast || last === undefined ? {} : { 'bourse-cursor': writeCursor(question, last) }),
  };
  return { ids: page.map((position) => Number(position.at(-1))), headers };
}

/** `positions` are sorted. */
function pageOf(positions: readonly Position[], { question, after, limit, compare }: PageQuestion): ListPage {
  const start = after ? indexAfter(positions, after, compare) : 0;
  const page = positions.slice(start, limit === 0 ? undefined : start + limit);
  return pageWith(page, positions.length, question, start + page.length >= positions.length);
}

/** Of unsorted places, holding only the page. */
export async function firstPage(
  lots: AsyncIterable<readonly Position[]>,
  { question, after, limit, compare }: PageQuestion,
): Promise<ListPage> {
  let total = 0;
  let first: Position[] = [];
  for await (const lot of lots) {
    total += lot.length;
    const last = first[limit];
    for (const position of lot) {
      const isBeyond = last !== undefined && compare(position, last) > 0;
      if (!isBeyond && (after === undefined || compare(position, after) > 0)) first.push(position);
    }
    first = first.sort(compare).slice(0, limit + 1);
  }
  return pageWith(first.slice(0, limit), total, question, first.length <= limit);
}

type Asked = Question & Pick<PageQuestion, 'after' | 'limit'>;

const hasNone = ({ filter, conditions, words, sort }: Question) =>
  [conditions, words, sort, Object.values(filter).filter(Boolean)].every(({ length }) => length === 0);

/**
 * Of all objects in order of ID: the database counts and pages by its index, one after the other, since a request that
 * waits for a second connection while it has one would starve where few are left.
 */
async function pageOfAll(
  entity: Entity,
  { store, cache }: Context,
  { teamId, revision }: Bearer,
  { after, limit, ...question }: Asked,
): Promise<ListPage> {
  const afterId = Number(after?.at(-1) ?? 0);
  const { total } = await cache.getOrMake(`count/${entity.key}/${teamId}`, String(revision), async () => ({
    json: '',
    total: await store.count(entity, teamId),
  }));
  const rows = await store.page(entity, teamId, { afterId }, limit + 1, []);
  const page = rows.slice(0, limit).map(({ id }): Position => [id]);
  return pageWith(page, total, cursorQuestion(entity, question), rows.length <= limit);
}

export async function findPage(
  entity: Entity,
  context: Context,
  caller: Bearer,
  asked: Asked,
): Promise<ListPage> {
  const { after, limit, ...question } = asked;
  if (limit > 0 && hasNone(question)) return pageOfAll(entity, context, caller, asked);
  const positions = await findMatches(entity, context, caller, question);
  const compare = comparePositions(question.sort);
  return pageOf(positions, { question: cursorQuestion(entity, question), after, limit, compare });
}

/** In the page's order; those that have gone meanwhile are left out. */
export async function* listedObjects(
  entity: Entity,
  context: Context,
  caller: Bearer,
  { ids, fields = fieldsIn(entity, 'array') }: Pick<ListPage, 'ids'> & Pick<Listing, 'fields'>,
): AsyncGenerator<string> {
  const values = await openListedValues(entity, context, caller, fields);
  let before = '[';
  for (let from = 0; from < ids.length; from += rowsPerPage) {
    const wanted = ids.slice(from, from + rowsPerPage);
    const objects = await context.store.page(
      entity,
      caller.teamId,
      { ids: wanted },
      rowsPerPage,
      values.fields,
    );
    const shown = await values.read(objects);
    const byId = new Map(objects.map(({ id }, index) => [id, shown[index]]));
    const texts = wanted.flatMap((id) => {
      const own = byId.get(id);
      return own ? [JSON.stringify(own)] : [];
    });
    if (texts.length > 0) {
      yield before + texts.join(',');
      before = ',';
    }
    await turn();
  }
  yield before === '[' ? '[]' : ']';
}
