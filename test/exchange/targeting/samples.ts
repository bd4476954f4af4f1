import assert from 'node:assert/strict';
import type { ExchangeKind } from '../../../src/entities/kinds.ts';
import { entityOf } from '../../../src/entities/registry.ts';
import type { ConfigurationObject, DemandObject } from '../../../src/exchange/configuration.ts';
import { compileList, type Matchers } from '../../../src/exchange/lists/compile-list.ts';
import { createListRegistry, type ListRegistry } from '../../../src/exchange/lists/list-registry.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import type { Demand } from '../../../src/exchange/snapshot/demand.ts';
import { compileChecks } from '../../../src/exchange/targeting/compile-checks.ts';
import type { CandidateIndex } from '../../../src/exchange/targeting/index/candidate-index.ts';
import type { RowReader } from '../../../src/exchange/targeting/index/row-change.ts';
import type { Lists } from '../../../src/exchange/targeting/rule.ts';
import { demandRules } from '../../../src/exchange/targeting/rules.ts';
import { settingsOf } from '../settings-of.ts';
import { account, unrestrictedDemand } from '../unrestricted.ts';

/** An object as it is stored when `add` sends only these values. */
export function objectWith<K extends ExchangeKind>(
  entity: K,
  values: Readonly<Record<string, unknown>> = {},
  row: { id?: number; status?: number } = {},
): ConfigurationObject<K> {
  const sent: Record<string, unknown> = {};
  const connections: Record<string, readonly number[]> = {};
  for (const [name, { place, omitted }] of Object.entries(entityOf(entity).fields)) {
    if (place.kind === 'document') sent[name] = values[name] ?? omitted;
    if (place.kind === 'connection') connections[name] = (values[name] ?? []) as number[];
  }
  const stray = Object.keys(values).filter((name) => !(name in sent) && !(name in connections));
  if (stray.length > 0) throw new Error(`${entity} has no field ${stray.join(', ')}`);
  const settings = settingsOf(entity, sent);
  return { entity, id: row.id ?? 1, teamId: 1, ownerId: 1, status: row.status ?? 0, settings, connections };
}

/** A demand object compiled, as the snapshot does it. */
export function demandOf(object: DemandObject, lists: Lists, isOwnerActive = true): Demand {
  const { id, teamId, ownerId, settings } = object;
  return unrestrictedDemand(object.entity, {
    id,
    teamId,
    settings,
    isActive: object.status === 0,
    account: { ...account, id: ownerId ?? 0, teamId, isActive: isOwnerActive },
    checks: compileChecks(object, demandRules, lists),
  });
}

/** Reads demand by what it was compiled from; no two ask the same. */
export function readingOf(objectOf: (demand: Demand) => DemandObject): RowReader<Demand> {
  const seen = new Map<Demand, number>();
  const targetingOf = (demand: Demand): number => {
    if (!seen.has(demand)) seen.set(demand, seen.size);
    return seen.get(demand) ?? 0;
  };
  return { objectOf, targetingOf };
}

/** A text in parts that end where `size` says. */
export async function* inParts(text: string, size = 65_536): AsyncIterable<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

/** A list's place in a registry. */
export interface ListSample {
  readonly kind: keyof Matchers;
  readonly id: number;
  readonly lines: readonly string[];
  readonly teamId?: number;
  readonly isActive?: boolean;
  readonly isGlobal?: boolean;
  /** Of an IP List. */
  readonly ipKind?: 0 | 1 | 2;
}

async function put<Kind extends keyof Matchers>(registry: ListRegistry, kind: Kind, sample: ListSample) {
  const { id, lines, teamId = 1, isGlobal = false, ipKind } = sample;
  const matcher = await compileList[kind](inParts(lines.join('\n')));
  registry.set(kind, id, { teamId, isGlobal, ipKind, matcher });
}

/** A registry that holds those of these lists that are active. */
export async function listsWith(samples: readonly ListSample[]): Promise<ListRegistry> {
  const registry = createListRegistry();
  for (const sample of samples) if (sample.isActive !== false) await put(registry, sample.kind, sample);
  return registry;
}

/** Asserts that an index counts, of selections, exactly whom it refuses, by the reasons that it explains. */
export function assertRefusedCounted(index: CandidateIndex, opportunities: readonly Opportunity[]): void {
  const due = new Map<string, number>();
  const told = new Map<string, number>();
  const add = (sums: Map<string, number>, { kind, id }: Demand, reason: string, count: number) => {
    const name = `${kind}:${id} ${reason}`;
    sums.set(name, (sums.get(name) ?? 0) + count);
  };
  const counts = index.refusedCounts();
  for (const met of opportunities) {
    index.select(met, counts);
    for (const demand of index.connected) {
      const refusal = index.explain(demand, met);
      if (refusal) add(due, demand, refusal.reason, 1);
    }
  }
  counts.tell((demand, reason, count) => add(told, demand, reason, count));
  assert.deepEqual(new Map([...told].sort()), new Map([...due].sort()));
}
