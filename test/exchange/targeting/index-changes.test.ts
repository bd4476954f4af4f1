import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { DemandObject } from '../../../src/exchange/configuration.ts';
import { runAtOnce } from '../../../src/exchange/cooperative-task.ts';
import type { ListRegistry } from '../../../src/exchange/lists/list-registry.ts';
import type { Demand } from '../../../src/exchange/snapshot/demand.ts';
import {
  type CandidateIndex,
  createCandidateIndex,
} from '../../../src/exchange/targeting/index/candidate-index.ts';
import { demandRules } from '../../../src/exchange/targeting/rules.ts';
import { isSameTargeting } from '../../../src/exchange/targeting/same-targeting.ts';
import { seeded } from '../../support/seed.ts';
import { opportunityWith } from '../unrestricted.ts';
import {
  type Arranged,
  demandObject,
  exchange,
  objectOf,
  opportunity,
  samples,
} from './arbitrary-exchange.ts';
import { naiveRefusal } from './naive-reading.ts';
import { assertRefusedCounted, demandOf, listsWith, objectWith, readingOf } from './samples.ts';

/** A member as a snapshot has it. */
interface Member {
  readonly demand: Demand;
  readonly object: DemandObject;
  readonly isOwnerActive: boolean;
  readonly targeting: number;
}

/** What happens to the members of an index; `at` are shares of its length. */
type Change = (
  members: readonly Member[],
  make: (row: Arranged, old?: Member) => Member,
) => readonly Member[];

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const placeOf = (at: number, { length }: readonly unknown[]) => Math.floor(at * length);

const replaced = fc.array(fc.tuple(share, demandObject), { maxLength: 4 }).map(
  (rows): Change =>
    (members, make) => {
      const next = [...members];
      for (const [at, row] of rows) {
        const place = placeOf(at, members);
        const old = next[place];
        if (old) next[place] = make(row, old);
      }
      return next;
    },
);
const touched = share.map(
  (at): Change =>
    (members) =>
      members.map((member, place) =>
        place === placeOf(at, members)
          ? { ...member, demand: { ...member.demand, name: 'renamed' } }
          : member,
      ),
);
const added = fc.tuple(share, fc.array(demandObject, { maxLength: 40, size: 'max' })).map(
  ([at, rows]): Change =>
    (members, make) =>
      members.toSpliced(placeOf(at, members), 0, ...rows.map((row) => make(row))),
);
const removed = fc.tuple(share, fc.nat({ max: 40 })).map(
  ([at, count]): Change =>
    (members) =>
      members.toSpliced(placeOf(at, members), count),
);
const moved = fc.tuple(share, share).map(
  ([from, to]): Change =>
    (members) => {
      const [one] = members.slice(placeOf(from, members), placeOf(from, members) + 1);
      const others = members.toSpliced(placeOf(from, members), one ? 1 : 0);
      return one ? others.toSpliced(placeOf(to, others), 0, one) : members;
    },
);
const reversed = fc.constant<Change>((members) => members.toReversed());
const change = fc.oneof(
  { weight: 4, arbitrary: replaced },
  ...[touched, added, removed, moved, reversed].map((arbitrary) => ({ weight: 1, arbitrary })),
);

/** Makes members, and reads them as snapshots do. */
function createMembers(lists: ListRegistry) {
  const known = new Map<Demand, Member>();
  let ids = 0;
  let targetings = 0;
  const make = (row: Arranged, old?: Member): Member => {
    const isOfKind = old !== undefined && old.object.entity === row.entity;
    if (!isOfKind) ids += 1;
    const object = objectOf(row, isOfKind ? old.object.id : ids);
    const isSame = isOfKind && isSameTargeting(demandRules, old.object, object);
    if (!isSame) targetings += 1;
    const demand = demandOf(object, lists, row.isOwnerActive);
    return {
      demand,
      object,
      isOwnerActive: row.isOwnerActive,
      targeting: isSame ? old.targeting : targetings,
    };
  };
  const member = (demand: Demand) => known.get(demand) ?? assert.fail();
  const reading = {
    objectOf: (demand: Demand) => member(demand).object,
    targetingOf: (demand: Demand) => member(demand).targeting,
  };
  const connect = (members: readonly Member[]) => {
    for (const one of members) known.set(one.demand, one);
    return members.map(({ demand }) => demand);
  };
  return { make, reading, connect };
}

let lists: ListRegistry;
before(async () => {
  lists = await listsWith(samples);
});

test('an index renewed by any changes selects what one built anew does, and what the specification says', () => {
  const opportunities = fc.array(opportunity, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      exchange,
      fc.array(change, { maxLength: 8, size: 'max' }),
      opportunities,
      (first, changes, asked) => {
        const { make, reading, connect } = createMembers(lists);
        let members: readonly Member[] = first.map((row) => make(row));
        let index = createCandidateIndex(connect(members), reading, lists);
        const selected = (of: CandidateIndex) => asked.map((met) => of.select(met));
        for (const each of [undefined, ...changes]) {
          const old = { index, selected: selected(index) };
          if (each) {
            members = each(members, make);
            index = runAtOnce(index.after(connect(members)));
          }
          const anew = createCandidateIndex(connect(members), reading, lists);
          assert.deepEqual(selected(index), selected(anew));
          const naive = asked.map((met) =>
            members
              .filter(
                ({ object, isOwnerActive }) =>
                  object.status === 0 && isOwnerActive && naiveRefusal(object, met, samples) === undefined,
              )
              .map(({ demand }) => demand),
          );
          assert.deepEqual(selected(index), naive);
          assert.deepEqual(selected(old.index), old.selected, 'the old one stays');
          assertRefusedCounted(index, asked);
        }
      },
    ),
    seeded(150),
  );
});

test('a category that is named for the first time begins with who wants the one that covers it', () => {
  const objects = ['IAB1', 'IAB2', 'IAB1-1'].map((category, id) =>
    objectWith('DspVastTag', { IabCategories: [category] }, { id }),
  );
  const demand = objects.map((object) => demandOf(object, lists));
  const reading = readingOf(({ id }) => objects[id] ?? assert.fail());
  const met = opportunityWith({ inventory: { categories: ['IAB1-1'] } });
  const index = createCandidateIndex(demand.slice(0, 2), reading, lists);
  const selected = (of: CandidateIndex) => of.select(met).map(({ id }) => id);
  assert.deepEqual(selected(index), [0]);
  assert.deepEqual(selected(runAtOnce(index.after(demand))), [0, 2]);
});
