import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fault } from '../../src/answers/failure.ts';
import { startApi } from './api.ts';
import { faultsOf, pathsOf } from './refusals.ts';

const { api } = await startApi();
const day = new Date().toISOString().slice(0, 10);

const none: Partial<Fault> = {};

interface Question {
  readonly GroupBy?: readonly string[];
  readonly Measures?: readonly string[];
}

interface Combination {
  readonly Dimensions: readonly string[];
  readonly Steps: readonly { readonly Step: string; readonly Since: string }[];
}

const ask = (question: object) => api.post('/api/statistics/report', question);

/** What a question is refused with: path and message. */
async function refusalsOf(question: object): Promise<readonly (readonly [path: string, says: string])[]> {
  const reply = await ask(question);
  assert.equal(reply.status, 406, reply.text);
  return faultsOf(reply).map(({ Path, Message }) => [Path, Message] as const);
}

describe('a question that cannot be answered', () => {
  test('is told all that is wrong at once, each with its path', async () => {
    const reply = await ask({
      From: '2027-01-31T12:07:00Z',
      To: 'soon',
      TimeZone: 'Mars/Olympus',
      GroupBy: ['Day', 'Hour', 'Day'],
      Measures: [],
      OrderBy: [{ Field: 'Clicks' }],
      Filters: [
        { Field: 'Supply', Operator: 'In', Values: [7, 'Campaign:3'] },
        { Field: 'Country', Operator: 'In', Values: [] },
      ],
    });
    assert.equal(reply.status, 406);
    assert.deepEqual(pathsOf(reply).toSorted(), [
      'Filters[0].Values[0]',
      'Filters[0].Values[1]',
      'Filters[1].Values',
      'From',
      'GroupBy',
      'GroupBy[2]',
      'Measures',
      'OrderBy[0].Field',
      'TimeZone',
      'To',
    ]);
  });

  const wrongPeriods: readonly (readonly [sent: object, path: string, says: RegExp])[] = [
    [{}, 'Period', /send Period, for example Last7Days, or both From and To/],
    [{ Period: '', From: '', To: '' }, 'Period', /send Period/],
    [{ From: '2027-01-01' }, 'To', /is missing/],
    [{ To: '2027-01-01' }, 'From', /is missing/],
    [{ Period: 'Today', From: '2027-01-01' }, 'Period', /replaces From and To/],
    [{ Period: 'Today', From: '2027-01-01', To: '2027-01-02' }, 'Period', /replaces From and To/],
    [{ Period: 'Tomorrow' }, 'Period', /must be one of Today, Yesterday, .+ or "" for none/],
  ];
  for (const [sent, path, says] of wrongPeriods) {
    test(`${JSON.stringify(sent)} says no period`, async () => {
      const [[at, message] = [], ...others] = await refusalsOf({ Measures: ['Requests'], ...sent });
      assert.deepEqual([at, others], [path, []]);
      assert.match(String(message), says);
    });
  }

  const latency = { LeaveOut: ['LatencyP50'], AskFor: ['Requests', 'Opportunities', 'Calls'] };
  const cases: readonly (readonly [
    sent: object,
    path: string,
    says: string,
    remedies?: readonly object[],
  ])[] = [
    [
      { GroupBy: ['Os', 'Creative'] },
      'GroupBy',
      'Os, Creative are not counted together; possible combinations, including filters: Publisher, Supply, SupplyKind, Os, Browser; or Advertiser, Demand, DemandKind, Seat, AdDomain, Creative, Deal',
      [{ LeaveOut: ['Os'] }, { LeaveOut: ['Creative'] }],
    ],
    [
      { Measures: ['LatencyP50', 'Impressions'] },
      'Measures',
      'LatencyP50, Impressions cannot be shown together; leave out LatencyP50 and use Requests, Opportunities, Calls or others instead',
      [latency],
    ],
    [
      { Measures: ['LatencyP50', 'Impressions'], GroupBy: ['Day', 'Demand'] },
      'Measures',
      'LatencyP50, Impressions cannot be shown together by Demand; leave out LatencyP50 and use Calls, Answers, Timeouts or others instead',
      [{ LeaveOut: ['LatencyP50'], AskFor: ['Calls', 'Answers', 'Timeouts'] }],
    ],
    [
      { Measures: ['LatencyP50', 'Impressions'], GroupBy: ['Supply'] },
      'Measures',
      'LatencyP50 cannot be shown by Supply; leave out LatencyP50 and use Requests, Opportunities, Calls or others instead',
      [latency],
    ],
    [
      { GroupBy: ['Hour', 'Os'] },
      'GroupBy',
      'asks for what is kept only by days (UTC); ask for whole ones, or use longer intervals; or leave out Os',
      [{ GroupBy: ['Day', 'Os'] }, { LeaveOut: ['Os'] }],
    ],
    [
      { GroupBy: ['Os'], TimeZone: 'Asia/Tokyo' },
      'TimeZone',
      'asks for what is kept only by days (UTC); ask for whole ones with the TimeZone UTC; or leave out Os',
      [{ TimeZone: 'UTC' }, { LeaveOut: ['Os'] }],
    ],
    [
      { GroupBy: ['Hour', 'Supply', 'Country', 'DeviceType'] },
      'GroupBy',
      'asks for what is kept only by days (UTC); ask for whole ones, or use longer intervals; or leave out Supply; or leave out Country; or leave out DeviceType',
      [
        { GroupBy: ['Day', 'Supply', 'Country', 'DeviceType'] },
        { LeaveOut: ['Supply'] },
        { LeaveOut: ['Country'] },
        { LeaveOut: ['DeviceType'] },
      ],
    ],
    [
      { GroupBy: ['Supply', 'Demand', 'Country'], TimeZone: 'Asia/Tokyo' },
      'TimeZone',
      'asks for what is kept only by days (UTC); ask for whole ones with the TimeZone UTC; or leave out Supply; or leave out Demand; or leave out Country',
      [{ TimeZone: 'UTC' }, { LeaveOut: ['Supply'] }, { LeaveOut: ['Demand'] }, { LeaveOut: ['Country'] }],
    ],
    [
      { Filters: [{ Field: 'Advertiser', Operator: 'In', Values: ['A'] }] },
      'Filters[0].Values[0]',
      'must be the ID of an advertiser',
    ],
    [
      { OrderBy: [{ Field: 'Clicks' }] },
      'OrderBy[0].Field',
      'must be a name of GroupBy or Measures: Impressions',
    ],
  ];
  for (const [sent, path, says, remedies] of cases) {
    test(`${JSON.stringify(sent)} is refused in a sentence, and with what to change`, async () => {
      const question = { From: day, To: day, Measures: ['Impressions'], ...sent };
      const reply = await ask(question);
      const [{ Path, Message, Remedies } = none, ...others] = faultsOf(reply);
      assert.deepEqual([Path, Message, Remedies, others], [path, says, remedies, []]);
      for (const { LeaveOut = [], AskFor: _, ...members } of Remedies ?? []) {
        const without = (names: readonly string[] = []) => names.filter((name) => !LeaveOut.includes(name));
        const { GroupBy, Measures }: Question = { ...question, ...members };
        const changed = { ...question, ...members, GroupBy: without(GroupBy), Measures: without(Measures) };
        const { status, text } = await ask(changed);
        assert.equal(status, 200, text);
      }
    });
  }

  test('what is compared with has no remedy that begins later', async () => {
    const question = { Period: 'Yesterday', Measures: ['Impressions'], GroupBy: ['Hour'], CompareTo: 'Year' };
    const [{ Path, Remedies } = none] = faultsOf(await ask(question));
    assert.deepEqual([Path, Remedies], ['CompareTo', [{ GroupBy: ['Day'] }, { LeaveOut: ['CompareTo'] }]]);
  });

  test('countries by the hour and in any zone are answered for a month, and by days of UTC for longer', async () => {
    const Measures = ['Calls', 'Revenue'];
    for (const GroupBy of [
      ['Hour', 'Country'],
      ['Hour', 'Demand', 'DeviceType'],
      ['Hour', 'Country', 'DeviceType'],
      ['QuarterHour', 'Supply', 'Size'],
      ['Day', 'Publisher', 'Site'],
    ]) {
      const { status, text } = await ask({
        Period: 'Last30Days',
        TimeZone: 'Asia/Kathmandu',
        Measures,
        GroupBy,
      });
      assert.equal(status, 200, text);
    }
    const From = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10);
    const question = { From, To: day, Measures, GroupBy: ['Day', 'Country'] };
    const [{ Path, Message, Remedies } = none] = faultsOf(
      await ask({ ...question, TimeZone: 'Europe/Berlin' }),
    );
    assert.equal(Path, 'From');
    assert.match(String(Message), /quarter hours \(UTC\), which are kept for this since /);
    const [utc, begin] = Remedies ?? [];
    assert.deepEqual(utc, { TimeZone: 'UTC' });
    assert.match(String(begin?.From), /^202\d-\d\d-\d\dT00:00:00Z$/);
    assert.equal((await ask({ ...question, ...utc })).status, 200);
  });

  test('what is listed as counted together is answered from when it is kept', async () => {
    const { body } = await api.get('/api/statistics/combinations');
    const { Combinations } = body as { readonly Combinations: readonly Combination[] };
    assert.ok(Combinations.length > 20);
    const listed = Combinations.find(
      ({ Dimensions, Steps }) =>
        Dimensions.join() === 'Publisher,Supply,SupplyKind,Country' &&
        Steps.some(({ Step }) => Step === 'QuarterHour'),
    );
    const since = (name: string) => listed?.Steps.find(({ Step }) => Step === name)?.Since ?? '';
    const From = since('QuarterHour');
    assert.ok(since('Day') < From);
    const question = {
      Measures: ['Requests'],
      GroupBy: ['Hour', 'Supply', 'Country'],
      TimeZone: 'Asia/Kolkata',
      To: day,
    };
    assert.equal((await ask({ ...question, From })).status, 200);
    const earlier = new Date(Date.parse(From) - 900_000).toJSON();
    const [{ Remedies } = none] = faultsOf(await ask({ ...question, From: earlier }));
    assert.ok(Remedies?.some((one) => Date.parse(String(one.From)) === Date.parse(From)));
  });

  test('a time that is kept no longer has the first one that is', async () => {
    const question = { From: '2024-01-01', To: '2024-01-31', Measures: ['Impressions'], GroupBy: ['Hour'] };
    const [{ Path, Remedies } = none] = faultsOf(await ask({ ...question, TimeZone: 'Europe/Berlin' }));
    assert.equal(Path, 'From');
    const [days, begin] = Remedies ?? [];
    assert.deepEqual(days, { GroupBy: ['Day'], TimeZone: 'UTC' });
    assert.match(String(begin?.From), /^202\d-\d\d-\d\dT\d\d:00:00Z$/);
  });
});
