import type { ListKind } from '../entities/kinds.ts';
import { ownMember } from '../reference/own-member.ts';
import type { ConfigurationObject } from './configuration.ts';
import { compileList, type Matchers, matcherOn } from './lists/compile-list.ts';
import { createListRegistry, type RegisteredList } from './lists/list-registry.ts';
import type { ListKey, ListTable, SnapshotCompiler } from './snapshot/compile.ts';
import { compileChecks } from './targeting/compile-checks.ts';
import { createCandidateIndex } from './targeting/index/candidate-index.ts';
import { createFloorIndex } from './targeting/index/floor-index.ts';
import { dealRules, demandRules, supplyRules } from './targeting/rules.ts';
import { isSameTargeting } from './targeting/same-targeting.ts';

type Matcher = Matchers[ListKind];

/** Reuses the matchers that `compileList` made. */
function listPlaces(): ListTable<Matcher> {
  const registry = createListRegistry();
  return {
    lists: registry,
    put: (kind, id, list) => registry.set(kind, id, list as RegisteredList<typeof kind>),
    remove: registry.remove,
  };
}

/** List fields, by the rules that use them. */
const listFields = new Map(
  [...supplyRules, ...demandRules].flatMap((rule) =>
    'kind' in rule && rule.kind !== undefined ? [[rule.field, rule.kind] as const] : [],
  ),
);

function* listsOf({ connections }: ConfigurationObject): Iterable<ListKey> {
  for (const [field, kind] of listFields) {
    for (const id of ownMember(connections, field) ?? []) yield { kind, id };
  }
}

/** Compiles rules to checks and bitmaps, lists to matchers. */
export const compileExchange: SnapshotCompiler<Matcher> = {
  listTable: listPlaces,
  listsOf,
  list: async (kind, parts) => (await compileList[kind](parts)).memory,
  matcher: (kind, memory) => (matcherOn[kind] as (memory: unknown) => Matcher)(memory),
  supplyChecks: (object, lists) => compileChecks(object, supplyRules, lists),
  demandChecks: (object, lists) => compileChecks(object, demandRules, lists),
  dealChecks: (object, lists) => compileChecks(object, dealRules, lists),
  isSameTargeting: (before, after) => isSameTargeting(demandRules, before, after),
  floorIndex: createFloorIndex,
  candidateIndex: createCandidateIndex,
};
