import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { metRules } from '../../src/exchange/auction/floor-rules.ts';
import { runAtOnce } from '../../src/exchange/cooperative-task.ts';
import type { Opportunity } from '../../src/exchange/opportunity.ts';
import type { MetRule } from '../../src/exchange/rule-floors.ts';
import { compiledFloorRule, type FloorRule } from '../../src/exchange/snapshot/floor-rule.ts';
import { byPriority, noFloorRules } from '../../src/exchange/snapshot/floor-rules.ts';
import { compileChecks } from '../../src/exchange/targeting/compile-checks.ts';
import { createFloorIndex } from '../../src/exchange/targeting/index/floor-index.ts';
import { floorRules } from '../../src/exchange/targeting/rules.ts';
import { countries } from '../../src/reference/countries.ts';
import { listsWith, objectWith } from '../../test/exchange/targeting/samples.ts';
import { opportunityWith, unrestrictedSupply } from '../../test/exchange/unrestricted.ts';
import { randomFrom } from '../../test/support/seed.ts';
import type { Measure, Tools } from '../measure.ts';
import { microsecondsOf } from '../speed.ts';

const [rulesMax, requests, timed] = [1000, 100_000, 200];
const random = randomFrom(11);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const chance = (share: number) => random() < share;
const codes = countries.map(({ CC }) => CC).slice(0, 60);
const sizes = ['640x360', '300x250', '320x50', '728x90'];
const software = (family: string) => ({ family, major: '', minor: '' });

/** As tables of floors have them: a country and a device, now and then the rest. */
function drawnRule(id: number) {
  const values: Record<string, unknown> = {
    Countries: [pick(codes)],
    Floor: random() * 5,
    Priority: 1 + Math.floor(random() * 20),
  };
  if (chance(0.8)) values.DeviceTypes = [pick([1, 2, 3, 4, 5])];
  if (chance(0.3)) values.Os = [{ Family: pick(['Android', 'iOS', 'Windows']) }];
  if (chance(0.3)) values.SizesList = [pick(sizes)];
  if (chance(0.2)) values.AdTypes = [pick([1, 2])];
  if (chance(0.1)) values.DspRtbEps = [1];
  if (chance(0.1)) values.SkipPercent = 10;
  return compiledFloorRule(objectWith('FloorRule', values, { id }));
}

function drawnRequest(): Opportunity {
  const [width = 0, height = 0] = pick(sizes).split('x').map(Number);
  return opportunityWith({
    auctionId: randomUUID(),
    country: pick(codes),
    device: { types: pick([[1, 4], [1, 5], [2], [3]]), os: software(pick(['Android', 'iOS', 'Windows'])) },
    media: pick(['video', 'banner'] as const),
    width,
    height,
  });
}

const lists = await listsWith([]);
let isCompared = false;

/** What is found for each drawn request is what a scan finds. */
function compare(rules: readonly FloorRule[], find: (met: Opportunity) => readonly MetRule[]): void {
  const scanned = rules
    .toSorted(byPriority)
    .map((rule) => ({ rule, checks: compileChecks(rule.object, floorRules, lists) }));
  for (let at = 0; at < requests; at += 1) {
    const met = drawnRequest();
    const fitting = scanned.filter(({ checks }) => checks.every((check) => check(met) === undefined));
    const found = find(met).map(({ rule }) => rule.id);
    assert.deepEqual(
      found,
      fitting.slice(0, found.length).map(({ rule }) => rule.id),
    );
    if (found.length === 0) assert.equal(fitting.length, 0);
  }
}

/** How long an auction looks for its floor rules. */
export const floorRulesFound: Measure<Tools> = {
  name: 'floors',
  async run() {
    const rules = Array.from({ length: rulesMax }, (_, at) => drawnRule(at + 1));
    const floors = runAtOnce(noFloorRules.after(rules, createFloorIndex(lists)));
    const tag = unrestrictedSupply('VastTag', { id: 1 });
    const find = (met: Opportunity) => metRules(floors.of(tag), met);
    if (!isCompared) compare(rules, find);
    isCompared = true;
    const drawn = Array.from({ length: timed }, drawnRequest);
    const all = () => {
      for (const each of drawn) find(each);
    };
    all();
    const value = microsecondsOf(all, 2000) / timed;
    return [
      {
        title: `Floor rules of an auction, among ${rulesMax.toLocaleString('en')}`,
        targets: [{ what: '', value, unit: 'cpuMicroseconds', atMost: 1 }],
        details: [],
      },
    ];
  },
};
