import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { played } from '../protocols/vast/vast-player.ts';
import { type Macros, type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bidResponse, type DspAnswer, type DspCall, type MockDsp, vastAd } from './mock-dsp.ts';
import type { Candidate, Told, VastRoom } from './vast-room.ts';

/** A demand object of a row, and what its DSP answers. Lists are named, and become their IDs. */
export interface DemandRow {
  readonly path: 'campaign' | 'ortb/dspvasttag' | 'ortb/dsprtbep';
  readonly values: Values;
  readonly answer?: (call: DspCall) => DspAnswer;
}

/** One rule: a configuration, a request, what becomes of it, and what is counted. */
export interface Row {
  readonly what: string;
  /** Values of the VAST Tag. */
  readonly tag?: Values;
  /** Demand by name, in the order of the connection. */
  readonly demand: Readonly<Record<string, DemandRow>>;
  readonly macros?: Macros;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who wins; nobody where it is absent. */
  readonly winner?: string;
  /** Why nothing is answered. */
  readonly outcome?: string;
  /** Rule and field that refuse, by the demand's name. */
  readonly refused?: Readonly<Record<string, readonly [rule: string, field: string]>>;
  /** DSPs that are called; no others are. */
  readonly called?: readonly string[];
  /** Bids that are counted for the tag. */
  readonly bids: number;
  /** Of the winner's impression, in USD. */
  readonly spent?: number;
  readonly revenue?: number;
  /** What else is to hold of the document, and of the calls that DSPs have got. */
  readonly document?: (text: string, calls: (name: string) => readonly DspCall[]) => void | Promise<void>;
  /** What is to come after the impression. */
  readonly afterwards?: () => Promise<void>;
}

/** A campaign that bids 4 CPM, or as its values tell. */
export const campaign = (values: Values = {}): DemandRow => ({ path: 'campaign', values });
export const dspVastTag = (values: Values, answer: DemandRow['answer']): DemandRow => ({
  path: 'ortb/dspvasttag',
  values,
  ...(answer && { answer }),
});
export const dspRtbEp = (values: Values, answer: DemandRow['answer']): DemandRow => ({
  path: 'ortb/dsprtbep',
  values,
  ...(answer && { answer }),
});

/** A DSP VAST Tag with a fixed price. */
export const priced = (FixedCpm: number) => dspVastTag({ FixedCpm }, () => ({ body: vastAd() }));
/** A bidder whose one bid has these members. */
export const bidder = (bid: object, values: Values = {}, response: object = {}) =>
  dspRtbEp(values, (call) => bidResponse(call, bid, response));

const fields = {
  campaign: 'Campaigns',
  'ortb/dspvasttag': 'DspVastTags',
  'ortb/dsprtbep': 'DspRtbEps',
} as const;

/** Where rows are arranged: lists by name, beside the room and the DSPs. */
export interface Stage {
  readonly room: VastRoom;
  readonly dsp: MockDsp;
  readonly lists: ReadonlyMap<string, number>;
}

interface Arranged {
  readonly tag: Stored;
  readonly demand: ReadonlyMap<string, Stored>;
  /** Paths of the DSPs, by name. */
  readonly paths: ReadonlyMap<string, string>;
}

const listFields = ['DomainsBrandsList', 'AppsList', 'IpBlacklists'];

function withLists(values: Values, lists: Stage['lists']): Values {
  const rows = Object.entries(values).map(([name, value]) => {
    if (!listFields.includes(name)) return [name, value];
    return [name, (value as readonly string[]).map((list) => lists.get(list) ?? assert.fail(list))];
  });
  return Object.fromEntries(rows);
}

let arrangedRows = 0;

async function arrange({ room, dsp, lists }: Stage, row: Row): Promise<Arranged> {
  arrangedRows += 1;
  const demand = new Map<string, Stored>();
  const paths = new Map<string, string>();
  const connections: Record<string, number[]> = {};
  for (const [name, { path, values, answer }] of Object.entries(row.demand)) {
    const dspPath = `/${arrangedRows}/${encodeURIComponent(name)}`;
    if (answer) {
      dsp.answer(dspPath, answer);
      paths.set(name, dspPath);
    }
    const url = answer ? { ZoneUrlUsEast: dsp.url + dspPath + String(values.query ?? '') } : {};
    const { query: _, ...own } = values;
    const stored = await room.add(path, { ...url, Name: name, ...withLists(own, lists) });
    demand.set(name, stored);
    const field = fields[path];
    connections[field] = [...(connections[field] ?? []), stored.Id];
  }
  const tag = await room.add('ortb/vasttag', {
    Tmax: 5000,
    ...withLists(row.tag ?? {}, lists),
    ...connections,
  });
  return { tag, demand, paths };
}

/** Of a request that was refused as a whole, those that were not even looked at are not told. */
function candidateOf({ Candidates }: Told, { Id }: Stored): Candidate | undefined {
  return Candidates.find((candidate) => candidate.Id === Id);
}

/** Of what lost, both bids are told in the unit of the price: USD CPM. */
function assertAmounts({ Candidates }: Told): void {
  for (const { Rule, Wanted, Met, Price } of Candidates) {
    if (Rule === 'lost')
      assert.ok(Met === Price && Number(Wanted) >= Number(Met), `${Wanted}, ${Met}, ${Price}`);
  }
}

/** Explanation and auction name the same rule, but for those that only an answer could refuse. */
function assertAgreed(explained: Told, held: Told, { demand }: Arranged): void {
  for (const told of [explained, held]) assertAmounts(told);
  for (const [name, stored] of demand) {
    const [told, met] = [candidateOf(explained, stored), candidateOf(held, stored)];
    assert.ok(told, 'all that are connected are explained');
    if (!met || told.Outcome !== 'refused' || told.Rule === 'lost') continue;
    assert.deepEqual([name, met.Rule, met.Field, met.Wanted], [name, told.Rule, told.Field, told.Wanted]);
  }
}

async function callTrackers({ room }: Stage, text: string): Promise<void> {
  const [impression = assert.fail('an ad without a tracker')] = room.trackers(text, 'impression');
  for (const _ of [1, 2]) assert.equal((await fetch(impression)).status, 200);
}

async function play(stage: Stage, row: Row, arranged: Arranged): Promise<void> {
  const { room, dsp } = stage;
  const { tag, demand, paths } = arranged;
  const url = zoneUrl(tag, row.macros);
  const explained = row.headers ? undefined : await room.explain(tag, url);
  for (const path of paths.values()) assert.equal(dsp.calls(path).length, 0, 'explaining calls nobody');
  const { response, text } = await room.vast(url, row.headers);
  assert.equal(response.status, 200);
  const isWon = row.winner !== undefined;
  assert.equal((await played(text)).length > 0, isWon, text);
  const [held = assert.fail('no auction was held')] = await room.auctions(tag);
  assert.equal(held.Outcome, row.outcome ?? 'won', JSON.stringify(held));
  for (const [name, stored] of demand) {
    const met = candidateOf(held, stored);
    if (name === row.winner) assert.equal(met?.Outcome, 'won', name);
    const expected = row.refused?.[name];
    if (expected)
      assert.deepEqual([name, met?.Outcome, met?.Rule, met?.Field], [name, 'refused', ...expected]);
  }
  if (explained) assertAgreed(explained, held, arranged);
  const called = [...paths].filter(([, path]) => dsp.calls(path).length > 0).map(([name]) => name);
  assert.deepEqual(called, row.called ?? [...paths.keys()], 'only these are called');
  await row.document?.(text, (name) => dsp.calls(paths.get(name) ?? ''));
  if (isWon) await callTrackers(stage, text);
  await row.afterwards?.();
}

/** One request, its bids, a win where there is one, its impression once; and nothing of those that did not win. */
async function assertCounted({ room }: Stage, row: Row, { tag, demand }: Arranged): Promise<void> {
  const won = row.winner === undefined ? 0 : 1;
  const counted = await room.statistics(tag, ({ Requests, Bids, Bills }) => {
    return Number(Requests) > 0 && Number(Bids) >= row.bids && Number(Bills) >= won;
  });
  const { Requests, Bids, Wins, Bills, NetImpressions, Clicks, Spent } = counted;
  assert.deepEqual([Requests, Bids, Wins, Bills, NetImpressions, Clicks], [1, row.bids, won, won, won, 0]);
  if (row.spent !== undefined) assert.equal(Spent, row.spent);
  for (const [name, stored] of demand) {
    // Campaigns hand out no statistics URLs.
    if (stored.StatsByDateJson === undefined) continue;
    const isWinner = name === row.winner;
    const theirs = await room.statistics(stored, ({ Wins: wins }) => !isWinner || Number(wins) > 0);
    assert.deepEqual([name, theirs.Wins, theirs.Bills], [name, Number(isWinner), Number(isWinner)]);
    if (isWinner && row.revenue !== undefined) assert.equal(theirs.Revenue, row.revenue);
  }
}

/** Tests each row, and when all are done, what was counted of each. */
export function testRows(name: string, stage: () => Stage, rows: readonly Row[]): void {
  describe(name, () => {
    const arranged: Arranged[] = [];
    before(async () => {
      for (const row of rows) arranged.push(await arrange(stage(), row));
      await stage().room.served();
    });
    const at = (index: number) => arranged[index] ?? assert.fail();
    for (const [index, row] of rows.entries()) test(row.what, () => play(stage(), row, at(index)));
    for (const [index, row] of rows.entries()) {
      test(`counted: ${row.what}`, () => assertCounted(stage(), row, at(index)));
    }
  });
}
