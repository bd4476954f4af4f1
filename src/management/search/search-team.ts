import type { Entity } from '../../entities/entity.ts';
import { listTextOf } from '../../entities/list-text-of.ts';
import { entities } from '../../entities/registry.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Context } from '../context.ts';
import { foldCase } from '../listing/listed-field.ts';
import { createTimeSlice } from '../listing/time-slice.ts';
import { compileMatcher, type Match, rankOf } from './matcher.ts';
import type { SearchPage } from './search-page.ts';
import { searchedFields, type TextKind, textKinds } from './searched-fields.ts';

interface Candidate {
  readonly entity: Entity;
  readonly id: number;
  readonly rank: number;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  readonly nameLength: number;
  /** A list's line that holds the text. */
  readonly line?: string;
}

/** With the field where it matches best. */
export interface SearchResult extends Candidate, Match {
  readonly name: string;
}

const compare = (one: Candidate, other: Candidate) =>
  one.rank - other.rank ||
  one.status - other.status ||
  one.nameLength - other.nameLength ||
  entities.indexOf(one.entity) - entities.indexOf(other.entity) ||
  one.id - other.id;

/** Each object once, better ranks first. */
function createBest(limit: number) {
  let best: Candidate[] = [];
  /** The last within `limit`; undefined until that is full. */
  let worst: Candidate | undefined;
  const taken = new Set<string>();
  const keyOf = ({ entity, id }: Candidate) => `${entity.key} ${id}`;
  const cut = () => {
    best = best.sort(compare).slice(0, limit);
    worst = best[limit - 1];
  };
  return {
    add(candidate: Candidate) {
      if ((worst && compare(candidate, worst) >= 0) || taken.has(keyOf(candidate))) return;
      best.push(candidate);
      if (best.length >= 10 * limit) cut();
    },
    /** To be called between ranks: later ones are worse, so what was found stands. */
    close(): readonly Candidate[] {
      cut();
      for (const candidate of best) taken.add(keyOf(candidate));
      return best;
    },
  };
}

type Best = ReturnType<typeof createBest>;
type Search = Context & { readonly caller: Bearer; readonly query: string; readonly limit: number };

function findById(entity: Entity, page: SearchPage, query: string, best: Best): void {
  const index = page.ids.indexOf(Number(query));
  if (index === -1 || String(page.ids[index]) !== query) return;
  const status = page.statuses[index] ?? 0;
  const nameLength = page.nameLengths[index] ?? 0;
  best.add({ entity, id: Number(query), rank: rankOf('id', 0), status, nameLength });
}

/** Names are found by ID, too. */
async function findByTexts({ texts, caller, query }: Search, kind: TextKind, best: Best): Promise<void> {
  const { inTexts } = compileMatcher(query);
  const slice = createTimeSlice();
  for (const entity of entities) {
    if (!searchedFields(entity).some((field) => field.kind === kind)) continue;
    for await (const page of texts.of(entity, kind === 'name' ? 'names' : 'others', caller)) {
      const { [kind]: searched } = page.texts;
      if (!searched) continue;
      inTexts(kind, searched, (index, rank) => {
        const [id = 0, status = 0] = [page.ids[index], page.statuses[index]];
        best.add({ entity, id, rank, status, nameLength: page.nameLengths[index] ?? 0 });
      });
      if (kind === 'name') findById(entity, page, query, best);
      await slice.rest();
    }
  }
}

/** A line must hold the query. */
async function findByLines({ store, caller, query, limit }: Search, best: Best): Promise<void> {
  for (const entity of entities.filter(listTextOf)) {
    const lines = await store.findLines(entity, caller.teamId, query, limit);
    const ids = lines.map(({ id }) => id);
    const lineOf = new Map(lines.map(({ id, line }) => [id, line]));
    for (const { id, status, document } of await store.page(entity, caller.teamId, { ids }, limit, [
      'Name',
    ])) {
      const line = lineOf.get(id) ?? '';
      const rank = rankOf('line', foldCase(line) === foldCase(query) ? 0 : 1);
      best.add({ entity, id, rank, status, nameLength: String(document.Name ?? '').length, line });
    }
  }
}

/** By the database; objects that no longer match are left out. */
async function judged(
  { store, caller, query }: Search,
  candidates: readonly Candidate[],
): Promise<SearchResult[]> {
  const { inObject } = compileMatcher(query);
  const found: SearchResult[] = [];
  for (const [entity, ofEntity] of Map.groupBy(candidates, (candidate) => candidate.entity)) {
    const fields = searchedFields(entity);
    const byId = new Map(ofEntity.map((candidate) => [candidate.id, candidate]));
    const names = fields.map(({ name }) => name);
    const objects = await store.page(entity, caller.teamId, { ids: [...byId.keys()] }, byId.size, names);
    for (const { id, status, document } of objects) {
      const candidate = byId.get(id);
      const line = candidate?.line;
      const match = inObject(fields, id, document);
      const where =
        line === undefined
          ? match
          : { rank: candidate?.rank ?? 0, field: listTextOf(entity)?.name ?? '', value: line };
      const name = String(document.Name ?? '');
      if (where) found.push({ ...where, entity, id, status, name, nameLength: name.length });
    }
  }
  return found.sort(compare);
}

/** Searches the best kinds of values first, until the limit is full. */
export async function searchTeam(
  context: Context,
  caller: Bearer,
  query: string,
  limit: number,
): Promise<readonly SearchResult[]> {
  const search = { ...context, caller, query, limit };
  const best = createBest(limit);
  for (const kind of textKinds) {
    await findByTexts(search, kind, best);
    if (kind === 'name' && best.close().length < limit) await findByLines(search, best);
    if (best.close().length >= limit) break;
  }
  return judged(search, best.close());
}
