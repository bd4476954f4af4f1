import { setImmediate as turn } from 'node:timers/promises';
import type { ChangeFilter, ChangeRecord, Store } from '../../store/interface.ts';
import type { Answer } from '../context.ts';
import { writeCursor } from '../listing/cursor.ts';
import { historyPart, historyRow } from './history-row.ts';
import type { HistoryQuery } from './parameters.ts';
import { createUserNames } from './user-names.ts';

/** By binary search up to `last`; 0 if there is none. */
async function revisionAt(
  store: Pick<Store, 'changes'>,
  teamId: number,
  timeMs: number,
  last: number,
): Promise<number> {
  let from = 0;
  let to = last;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const [next] = await store.changes(teamId, { afterRevision: middle, upToRevision: to }, 1);
    if (next && next.timeMs < timeMs) from = next.revision;
    else to = middle;
  }
  return from;
}

/** Few at a time, because a change can hold a megabyte. */
const changesPerPage = 20;
/** Revisions searched at a time, so that other requests hardly wait. */
const revisionsPerLook = 10_000;

/** Few for a field: the JSON of each change is searched. */
const revisionsPerLookInto = 1000;

function stepOf({ entity, id, field, batchId }: ChangeFilter): number {
  // Changes of one object or batch have an index; all others are found by scanning the log.
  if ((entity && id) || batchId !== undefined) return Number.POSITIVE_INFINITY;
  return field === undefined ? revisionsPerLook : revisionsPerLookInto;
}

/** How far machines' clocks may differ; a later revision can then have an earlier time. */
const clocksApartMs = 60_000;

async function boundsOf(store: Store, teamId: number, filter: ChangeFilter) {
  const { afterRevision = 0, fromMs, untilMs } = filter;
  const last = await store.revision();
  const at = (timeMs: number) => revisionAt(store, teamId, timeMs, last);
  const start = fromMs === undefined ? 0 : await at(fromMs - clocksApartMs);
  const end = untilMs === undefined ? last : await at(untilMs + clocksApartMs);
  return { start: Math.max(afterRevision, start), end };
}

async function* pagesOf(
  store: Store,
  teamId: number,
  { filter, limit }: HistoryQuery,
): AsyncGenerator<readonly ChangeRecord[]> {
  const step = stepOf(filter);
  const { start, end } = await boundsOf(store, teamId, filter);
  let afterRevision = start;
  for (let left = limit; left > 0 && afterRevision < end; ) {
    const size = Math.min(changesPerPage, left);
    const upToRevision = Math.min(afterRevision + step, end);
    const filterOfStep: ChangeFilter = { ...filter, afterRevision, upToRevision };
    const page = await store.changes(teamId, filterOfStep, size);
    if (page.length > 0) yield page;
    left -= page.length;
    afterRevision = page.length === size ? (page.at(-1)?.revision ?? end) : upToRevision;
    await turn();
  }
}

/** Searches in steps, so that other requests hardly wait, and finds one more, if any. */
async function revisionsOf(store: Store, teamId: number, { filter, limit, cursor }: HistoryQuery) {
  const isNewestFirst = filter.newestFirst === true;
  const step = stepOf(filter);
  const bounds = await boundsOf(store, teamId, filter);
  let from = isNewestFirst ? bounds.start : Math.max(bounds.start, cursor ?? 0);
  let to = isNewestFirst ? Math.min(bounds.end, (cursor ?? Number.POSITIVE_INFINITY) - 1) : bounds.end;
  const revisions: number[] = [];
  while (revisions.length <= limit && from < to) {
    const [afterRevision, upToRevision] = isNewestFirst
      ? [Math.max(from, to - step), to]
      : [from, Math.min(to, from + step)];
    const wanted = limit + 1 - revisions.length;
    revisions.push(...(await store.revisions(teamId, { ...filter, afterRevision, upToRevision }, wanted)));
    if (isNewestFirst) to = afterRevision;
    else from = upToRevision;
    await turn();
  }
  return revisions;
}

async function* pagesWith(
  store: Store,
  teamId: number,
  filter: ChangeFilter,
  revisions: readonly number[],
): AsyncGenerator<readonly ChangeRecord[]> {
  for (let from = 0; from < revisions.length; from += changesPerPage) {
    const lot = revisions.slice(from, from + changesPerPage);
    const bounds = { afterRevision: Math.min(...lot) - 1, upToRevision: Math.max(...lot) };
    yield await store.changes(teamId, { ...filter, ...bounds }, lot.length);
    await turn();
  }
}

/** With headers for the next page, if asked for. */
export async function answerHistory(store: Store, teamId: number, question: HistoryQuery): Promise<Answer> {
  const { filter, limit, isPaged, asked } = question;
  if (!isPaged) return { body: jsonOf(rowsWith(store, teamId, filter), pagesOf(store, teamId, question)) };
  const revisions = await revisionsOf(store, teamId, question);
  const page = revisions.slice(0, limit);
  const last = page.at(-1);
  const isLast = last === undefined || revisions.length <= limit;
  return {
    body: jsonOf(rowsWith(store, teamId, filter), pagesWith(store, teamId, filter, page)),
    headers: isLast ? {} : { 'bourse-cursor': writeCursor(asked, [last]) },
  };
}

/** How changes are shown; with their batches, if asked for. */
function rowsWith({ identity, batchParts }: Store, teamId: number, { oncePerBatch = false }: ChangeFilter) {
  const nameOf = createUserNames(identity);
  return async (page: readonly ChangeRecord[]) => {
    const ids = oncePerBatch ? page.flatMap(({ batchId }) => batchId ?? []) : [];
    const parts = Map.groupBy(await batchParts(teamId, [...new Set(ids)]), ({ batchId }) => batchId);
    const partsOf = ({ batchId = '' }: ChangeRecord) => parts.get(batchId)?.map(historyPart);
    return Promise.all(page.map(async (row) => historyRow(row, await nameOf(row.userId), partsOf(row))));
  };
}

async function* jsonOf(
  rowsOf: ReturnType<typeof rowsWith>,
  pages: AsyncIterable<readonly ChangeRecord[]>,
): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    yield before + JSON.stringify(await rowsOf(page)).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
