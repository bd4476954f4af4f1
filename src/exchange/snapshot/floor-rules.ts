import type { CooperativeTask } from '../cooperative-task.ts';
import type { FloorIndex } from '../targeting/index/floor-index.ts';
import { byOwner, teamOwner } from './by-owner.ts';
import type { FloorRule } from './floor-rule.ts';
import type { Supply } from './supply.ts';

type Owned = Pick<Supply, 'kind' | 'id' | 'teamId'> & { readonly account: Pick<Supply['account'], 'id'> };

/** The active floor rules of all teams. */
export interface FloorRules {
  /** Of all that are for the supply object, each once in one of them; empty if there is none. */
  of(supply: Owned): readonly FloorIndex[];
  /** As they are after a change; unchanged indexes stay. */
  after(rules: Iterable<FloorRule>, empty: FloorIndex): CooperativeTask<FloorRules>;
}

type Groups = ReadonlyMap<string, FloorIndex>;

/** The lower number first. */
export const byPriority = (one: FloorRule, other: FloorRule) =>
  one.settings.Priority - other.settings.Priority || one.id - other.id;

const isSame = (one: readonly FloorRule[], other: readonly FloorRule[]) =>
  one.length === other.length && one.every((rule, place) => rule === other[place]);

/** Objects with the same rules share an index. */
function* renewed(before: Groups, rules: Iterable<FloorRule>, empty: FloorIndex): CooperativeTask<Groups> {
  const after = new Map<string, FloorIndex>();
  const shared = new Map<string, FloorIndex>();
  const active = [...rules].filter(({ isActive }) => isActive).toSorted(byPriority);
  for (const [key, own] of byOwner(active)) {
    const name = own.map(({ version }) => version).join();
    const known = before.get(key);
    const index =
      shared.get(name) ?? (known && isSame(known.rules, own) ? known : yield* (known ?? empty).after(own));
    shared.set(name, index);
    after.set(key, index);
    yield;
  }
  return after;
}

const none: readonly FloorIndex[] = [];

/** A rule that names both a publisher and its supply is in the supply object's index and in the publisher's. */
function rulesOf(groups: Groups): FloorRules {
  const known = new WeakMap<Owned, readonly FloorIndex[]>();
  const found = ({ kind, id, teamId, account }: Owned): readonly FloorIndex[] => {
    const keys = [teamOwner(teamId), `${kind}:${id}`, `Publisher:${account.id}`];
    const indexes = new Set(keys.flatMap((key) => groups.get(key) ?? []));
    return indexes.size === 0 ? none : [...indexes];
  };
  return {
    of(supply) {
      if (groups.size === 0) return none;
      const met = known.get(supply);
      if (met) return met;
      const indexes = found(supply);
      known.set(supply, indexes);
      return indexes;
    },
    *after(rules, empty) {
      return rulesOf(yield* renewed(groups, rules, empty));
    },
  };
}

export const noFloorRules: FloorRules = rulesOf(new Map());
