import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemandKindName, FieldWith, SettingsOf, SupplyKind } from '../../src/entities/kinds.ts';
import type { AccountObject, ConfigurationObject, ServedObject } from '../../src/exchange/configuration.ts';
import type { Demand, DemandOf } from '../../src/exchange/snapshot/demand.ts';
import type { Supply } from '../../src/exchange/snapshot/supply.ts';
import type { SettingWith } from '../../src/exchange/targeting/rule.ts';

/** Reads of settings as `src/exchange` has them. What is wrong does not compile: the compiler is the test. */
const reads = [
  ({ settings }: Supply) => {
    const floor: number | undefined = settings.Bidfloor;
    const mode: number = settings.DomainsBrandsListMode;
    // @ts-expect-error: misspelt
    const misspelt = settings.BidFloor;
    // @ts-expect-error: only demand has it
    const ofDemand = settings.FixedCpm;
    // @ts-expect-error: RTB EPs have no `Bidfloor`
    const always: number = settings.Bidfloor;
    return [floor, mode, misspelt, ofDemand, always];
  },
  ({ settings }: Demand) => {
    const price: number | undefined = settings.FixedCpm;
    // @ts-expect-error: misspelt
    const misspelt = settings.FixedCPM;
    // @ts-expect-error: only supply has it
    const ofSupply = settings.SpentDailyLimit;
    // @ts-expect-error: only answers have it
    const figure = settings.TodayRevenue;
    // @ts-expect-error: connections are no settings
    const connected = settings.VastTags;
    return [price, misspelt, ofSupply, figure, connected];
  },
  ({ settings }: DemandOf<'Campaign'>) => {
    const price: number = settings.Cpm;
    // @ts-expect-error: another kind's
    const otherKind = settings.FixedCpm;
    // @ts-expect-error: it is a text
    const html: number = settings.Html;
    // @ts-expect-error: settings are not changed
    settings.Cpm = 1;
    return [price, otherKind, html];
  },
  ({ settings }: ServedObject) => {
    const systems: readonly string[] | undefined = settings.Os?.map(({ Family }) => Family);
    // @ts-expect-error: misspelt within a value
    const misspelt = settings.Os?.map(({ Famly }) => Famly);
    // @ts-expect-error: misspelt
    const list = settings.SizeList;
    return [systems, misspelt, list];
  },
  ({ settings }: AccountObject) => {
    const seller: string | undefined = settings.SellerId;
    // @ts-expect-error: misspelt
    const misspelt = settings.SellerID;
    return [seller, misspelt];
  },
  ({ settings }: ConfigurationObject<'KeywordList'>) => {
    const isGlobal: number = settings.Global;
    // @ts-expect-error: delivery does not read it
    const name = settings.Name;
    return [isGlobal, name];
  },
  (settings: SettingsOf<'PopFeed' | 'RtbEp'>) => {
    const [both, one]: readonly [number, number | undefined] = [settings.MaxQps, settings.SubidListMode];
    // @ts-expect-error: neither has it
    const neither = settings.Waterfall;
    return [both, one, neither];
  },
];

/** Names of fields as rules are given them, by the type of their values. */
const names = () => {
  const flag: FieldWith<number, SupplyKind> = 'CheckAdsTxt';
  const text: FieldWith<string, DemandKindName> = 'Html';
  const setting: SettingWith<number> = 'MaxSchainNodes';
  // @ts-expect-error: misspelt
  const misspelt: FieldWith<number, SupplyKind> = 'CheckAdstxt';
  // @ts-expect-error: it holds a text
  const otherType: FieldWith<number, DemandKindName> = 'Html';
  // @ts-expect-error: only demand has it
  const otherSide: FieldWith<number, SupplyKind> = 'FixedCpm';
  // @ts-expect-error: misspelt
  const ofEither: SettingWith<number> = 'MaxSchainNode';
  return [flag, text, setting, misspelt, otherType, otherSide, ofEither];
};

test('a misspelt field of an entity does not compile', () => {
  assert.equal(reads.length, 7);
  assert.equal(names().length, 7);
});
