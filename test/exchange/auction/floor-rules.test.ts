import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { metRules } from '../../../src/exchange/auction/floor-rules.ts';
import { runAtOnce } from '../../../src/exchange/cooperative-task.ts';
import type { ListRegistry } from '../../../src/exchange/lists/list-registry.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import { compiledFloorRule, type FloorRule } from '../../../src/exchange/snapshot/floor-rule.ts';
import { byPriority, noFloorRules } from '../../../src/exchange/snapshot/floor-rules.ts';
import { compileChecks } from '../../../src/exchange/targeting/compile-checks.ts';
import { createFloorIndex } from '../../../src/exchange/targeting/index/floor-index.ts';
import { floorRules } from '../../../src/exchange/targeting/rules.ts';
import { seeded } from '../../support/seed.ts';
import { listsWith, objectWith } from '../targeting/samples.ts';
import { account, opportunityWith, unrestrictedSupply } from '../unrestricted.ts';

let lists: ListRegistry;
before(async () => {
  lists = await listsWith([
    { kind: 'DomainList', id: 1, lines: ['news.example'] },
    { kind: 'DomainList', id: 2, lines: ['sport.example'] },
  ]);
});

const ruleWith = (id: number, values: object = {}, status = 0) =>
  compiledFloorRule(objectWith('FloorRule', values as Record<string, unknown>, { id, status }));

const floorsOf = (rules: readonly FloorRule[], from = noFloorRules) =>
  runAtOnce(from.after(rules, createFloorIndex(lists)));

const tag = unrestrictedSupply('VastTag', { id: 1, account: { ...account, id: 7 } });

const some = <T>(...values: readonly T[]) => fc.subarray([...values], { maxLength: 2 });
const settings = fc.record({
  Priority: fc.integer({ min: 1, max: 4 }),
  SkipPercent: fc.constantFrom(0, 0, 30, 100),
  Countries: some('DE', 'FR', 'US'),
  DeviceTypes: some(1, 2, 3, 4),
  Os: some({ Family: 'Android' }, { Family: 'iOS' }),
  Browsers: some({ Family: 'Chrome' }, { Family: 'Safari' }),
  AdTypes: some(1, 2, 3),
  IabCategories: some('IAB1', 'IAB2-1'),
  SizesListMode: fc.constantFrom(0, 1),
  SizesList: some('300x250', '640x360'),
  DomainsBrandsListMode: fc.constantFrom(0, 1),
  DomainsBrandsList: some(1, 2),
  VastTags: some(1, 2),
  Publishers: some(7, 8),
  DspRtbEps: some(1, 2),
  AdvertiserDomains: fc.constantFrom('', '', 'brand.example'),
});
const opportunities = fc
  .record({
    auctionId: fc.uuid({ version: 7 }),
    country: fc.constantFrom('', 'DE', 'FR', 'US'),
    media: fc.constantFrom('video' as const, 'banner' as const),
    width: fc.constantFrom(0, 300, 640),
    height: fc.constantFrom(250, 360),
    os: fc.constantFrom('', 'Android', 'iOS'),
    browser: fc.constantFrom('', 'Chrome', 'Safari'),
    types: fc.constantFrom([], [1, 4], [2]),
    domain: fc.constantFrom('', 'news.example', 'www.sport.example', 'other.example'),
    categories: some('IAB1-2', 'IAB2', 'IAB2-1'),
  })
  .map(({ os, browser, types, domain, categories, ...rest }) => {
    const software = (family: string) => ({ family, major: '', minor: '' });
    const device = { os: software(os), browser: software(browser), types };
    return opportunityWith({ ...rest, device, inventory: { domain, categories } });
  });

/** Whether one by one its conditions hold, and it is for the tag. */
const isMet = (rule: FloorRule, met: Opportunity) =>
  rule.isActive &&
  (rule.owners.length === 0 || rule.owners.includes('VastTag:1') || rule.owners.includes('Publisher:7')) &&
  compileChecks(rule.object, floorRules, lists).every((check) => check(met) === undefined);

test('the rules that an index finds are those of a scan, whatever changes', () => {
  fc.assert(
    fc.property(
      fc.array(settings, { maxLength: 60 }),
      fc.array(settings, { maxLength: 5 }),
      fc.array(opportunities, { minLength: 1, maxLength: 20 }),
      (all, changed, asked) => {
        const first = all.map((values, at) => ruleWith(at + 1, values, at % 7 === 6 ? 1 : 0));
        const next = first.map((rule, at) => (changed[at] ? ruleWith(rule.id, changed[at]) : rule));
        let floors = noFloorRules;
        for (const rules of [first, next]) {
          floors = floorsOf(rules, floors);
          for (const met of asked) {
            const scanned = rules.toSorted(byPriority).filter((rule) => isMet(rule, met));
            const found = metRules(floors.of(tag), met);
            const last = found.at(-1);
            const isForAll =
              last && !last.isControl && !last.rule.bidders && last.rule.settings.AdvertiserDomains === '';
            const expected = isForAll
              ? scanned.slice(0, scanned.indexOf(last.rule) + 1)
              : scanned.slice(0, 16);
            assert.deepEqual(
              found.map(({ rule }) => rule.id),
              expected.map(({ id }) => id),
            );
          }
        }
      },
    ),
    seeded(60),
  );
});

test('a control group has its share of requests, of each rule other ones', () => {
  const floors = floorsOf([
    ruleWith(1, { SkipPercent: 10, Priority: 1 }),
    ruleWith(2, { SkipPercent: 30, Priority: 2 }),
  ]);
  const counts = { one: 0, both: 0 };
  const requests = 20_000;
  for (let at = 0; at < requests; at += 1) {
    const [first, second] = metRules(floors.of(tag), opportunityWith({ auctionId: crypto.randomUUID() }));
    if (first?.isControl) counts.one += 1;
    if (first?.isControl && second?.isControl) counts.both += 1;
  }
  assert.ok(Math.abs(counts.one / requests - 0.1) < 0.015, `${counts.one}`);
  assert.ok(Math.abs(counts.both / counts.one - 0.3) < 0.06, `${counts.both}`);
});

test('a team, a publisher and a tag have their rules, and others have none', () => {
  const rules = [
    ruleWith(1, { Priority: 3, DspRtbEps: [1] }),
    ruleWith(2, { Priority: 2, Publishers: [7], VastTags: [1], DspRtbEps: [1] }),
    ruleWith(3, { Priority: 1, BannerEps: [1] }),
    ruleWith(4, { Priority: 1 }, 1),
    ruleWith(5, { RtbEps: [1], PopFeeds: [2] }),
  ];
  const floors = floorsOf(rules);
  const idsFor = (supply: Parameters<typeof floors.of>[0]) =>
    metRules(floors.of(supply), opportunityWith()).map(({ rule }) => rule.id);
  assert.deepEqual(idsFor(tag), [2, 1]);
  assert.deepEqual(idsFor(unrestrictedSupply('BannerEp', { id: 1 })), [3]);
  assert.deepEqual(idsFor(unrestrictedSupply('VastTag', { id: 2 })), [1]);
  assert.deepEqual(idsFor(unrestrictedSupply('RtbEp', { id: 1 })), [1, 5]);
  assert.deepEqual(idsFor(unrestrictedSupply('PopFeed', { id: 2 })), [1, 5]);
  assert.deepEqual(idsFor(unrestrictedSupply('BannerEp', { id: 9, teamId: 2 })), []);
});
