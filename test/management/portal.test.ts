import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountKind } from '../../src/entities/kinds.ts';
import { entityOf } from '../../src/entities/registry.ts';
import { type Dimension, dimensionRows } from '../../src/reference/dimensions.ts';
import { measureRows } from '../../src/reference/measures.ts';
import { type Api, startApi, type Values } from './api.ts';
import { assertRefused, faultsOf } from './refusals.ts';
import { type ResourceName, resourceNames, resourceOf } from './resources.ts';
import { addUsers } from './users.ts';

const { server, api } = await startApi();
const kinds: readonly AccountKind[] = ['Publisher', 'Advertiser'];
/** Stands in the names of all that is not the partners' own. */
const others = "nobody else's business";

/** What partners see, written out here: by kind, the fields of its objects. */
const seen: Readonly<Partial<Record<ResourceName, string>>> = {
  Publisher:
    'Id Mail Name Website Country City ZipCode Address Phone MsgApp MsgAccount PlatformDomain SellersJsonDomain SellerType SellerId Status StatusString',
  VastTag:
    'Id PublisherId Name Version Keywords SiteDomain AppName AppBundle AppStoreUrl Secure AdPosition Width Height Linearity Placement Plcmt ZoneUrls Status StatusString',
  RtbEp:
    'Id PublisherId Name BannerEnabled VideoEnabled AudioEnabled NativeEnabled PopEnabled ZoneUrls Status StatusString',
  PopFeed: 'Id PublisherId Name Secure FeedUrls DirectUrls Status StatusString',
  BannerEp:
    'Id PublisherId Name Keywords SiteDomain AppName AppBundle AppStoreUrl Secure AdPosition Width Height VideoEnabled Placement Plcmt ZoneUrls Status StatusString',
  Advertiser: 'Id Mail Name Website Country City ZipCode Address Phone MsgApp MsgAccount Status StatusString',
  DspVastTag:
    'Id AdvertiserId Name Countries Os Browsers DeviceTypes ZoneUrlUsEast ZoneUrlEu ZoneUrlApac Currency FixedCpm RevenueDailyLimit ImpressionsTotalLimit Pacing Flights TimeZone Hours HoursOf Pace ForecastUnits ForecastEnd Status StatusString',
  DspRtbEp:
    'Id AdvertiserId Name Countries Os Browsers DeviceTypes ZoneUrlUsEast ZoneUrlEu ZoneUrlApac RevenueDailyLimit ImpressionsTotalLimit Pacing Flights BannerEnabled VideoEnabled AudioEnabled NativeEnabled PopEnabled Currency TimeZone Hours HoursOf Pace ForecastUnits ForecastEnd Status StatusString',
  DspPopFeed:
    'Id AdvertiserId Name FeedUrlUsEast FeedUrlEu FeedUrlApac Currency RevenueDailyLimit ImpressionsTotalLimit Pacing Flights Countries Os Browsers DeviceTypes TimeZone Hours HoursOf Pace ForecastUnits ForecastEnd Status StatusString',
  Campaign:
    'Id AdvertiserId Name Type Currency Cpm StartDate EndDate SpendDailyLimit SpendTotalLimit ImpressionsTotalLimit Pacing Flights MediaUrl Mime Duration Width Height ClickUrl Html AdDomain IabCategory Attributes Countries Os Browsers DeviceTypes TimeZone Hours HoursOf Pace ForecastUnits ForecastEnd Status StatusString',
};

/** The kind of account that objects of an entity belong to, or are. */
const accountOf = (name: ResourceName): string => resourceOf(name).owner ?? name;
const ownable = resourceNames.filter((name) => kinds.some((kind) => kind === accountOf(name)));

const own: Record<string, number> = {};
for (const Name of ['Our own', others]) {
  for (const kind of kinds) {
    const { Id } = await api.add(kind, { Name, Description: others });
    own[kind] ??= Id;
  }
}
for (const name of ownable) {
  const { owner } = resourceOf(name);
  if (!owner) continue;
  for (const [Name, Id] of [
    ['Our own', own[owner]],
    [others, (own[owner] ?? 0) + 1],
  ])
    await api.add(name, { Name, [`${owner}Id`]: Id });
}
const users = await addUsers(
  server,
  kinds.map((kind) => ({ role: 3, teamId: 1, partner: { kind, id: own[kind] ?? 0 } })),
);
const partners = new Map<string, Api>(kinds.map((kind, index) => [kind, api.as(users[index]?.token ?? '')]));
const partnerOf = (kind: string): Api => partners.get(kind) ?? assert.fail(kind);
const pathOf = (name: ResourceName) => `/api/portal/${resourceOf(name).path}/get`;

describe('of objects, a partner', () => {
  for (const name of ownable) {
    const kind = accountOf(name);
    test(`sees its own and of them what is said here: ${name}`, async () => {
      const { status, body, text, headers } = await partnerOf(kind).get(pathOf(name));
      const [object, ...more] = body as never as Values[];
      assert.deepEqual([status, more.length, headers.get('bourse-total')], [200, 0, '1']);
      assert.equal(Object.keys(object ?? {}).join(' '), seen[name]);
      assert.equal(object?.Name, 'Our own');
      assert.ok(!text.includes(others), text);
    });

    test(`cannot ask for other fields, by any parameter: ${name}`, async () => {
      const hidden = Object.keys(entityOf(name).fields).filter(
        (field) => !seen[name]?.split(' ').includes(field),
      );
      for (const field of hidden) {
        const filter = JSON.stringify([{ Field: field, Operator: 'is_not_empty' }]);
        for (const query of [`Fields=${field}`, `Sort=${field}`, `Filter=${encodeURIComponent(filter)}`]) {
          const reply = await partnerOf(kind).get(`${pathOf(name)}?${query}`);
          assert.equal(reply.status, 406, `${query}: ${reply.text}`);
        }
      }
      const unknown = await partnerOf(kind).get(`${pathOf(name)}?PublisherId=2&Id=2&AsOf=2026-01-01`);
      assert.equal(unknown.status, 406, unknown.text);
    });

    test(`of the other side is refused: ${name}`, async () => {
      const other = kinds.find((one) => one !== kind) ?? '';
      assertRefused(await partnerOf(other).get(pathOf(name)), { status: 403 });
      assertRefused(await api.get(pathOf(name)), { status: 403 });
      assertRefused(await partnerOf(kind).get(`/api/${resourceOf(name).path}/get`), { status: 403 });
    });
  }

  test('sees the pace of what is its own, by the limits that it sees', async () => {
    const limits = { ImpressionsDailyLimit: 9, SpendDailyLimit: 5 };
    const { Id } = await api.add('Campaign', { AdvertiserId: own.Advertiser, ...limits });
    const path = (of: number) => `/api/figures/pace?Entity=Campaign&Id=${of}`;
    const unitsOf = ({ body }: { readonly body: object }) =>
      (body as { readonly Lines: readonly { readonly Unit: string }[] }).Lines.map(({ Unit }) => Unit);
    assert.deepEqual(unitsOf(await api.get(path(Id))), ['Impressions', 'Spend']);
    assert.deepEqual(unitsOf(await partnerOf('Advertiser').get(path(Id))), ['Spend']);
    const stranger = await api.add('Campaign', { AdvertiserId: (own.Advertiser ?? 0) + 1, ...limits });
    assertRefused(await partnerOf('Advertiser').get(path(stranger.Id)), { status: 406, paths: ['Id'] });
    assertRefused(await partnerOf('Publisher').get(path(Id)), { status: 403 });
    assertRefused(await partnerOf('Advertiser').get('/api/figures/pace?Entity=Deal&Id=1'), { status: 403 });
  });

  test('gets the code for its own supply, as the team does', async () => {
    const idOf = async (name: ResourceName) => {
      const { body } = await partnerOf(accountOf(name)).get(pathOf(name));
      return Number((body as never as Values[])[0]?.Id);
    };
    for (const name of ['VastTag', 'RtbEp', 'PopFeed', 'BannerEp'] as const) {
      const path = `/api/integrations/get?${name}=${await idOf(name)}`;
      const { status, body, text } = await partnerOf('Publisher').get(path);
      assert.equal(status, 200, text);
      const rows = body as never as readonly { readonly Codes: readonly { readonly Code: string }[] }[];
      assert.ok(rows.length > 1 && rows.every(({ Codes }) => Codes.every(({ Code }) => Code !== '')), name);
      assert.equal((await api.get(path)).text, text);
      assertRefused(await partnerOf('Advertiser').get(path), { status: 403 });
    }
    const stranger = `/api/integrations/get?VastTag=${(await idOf('VastTag')) + 1}`;
    assert.equal((await api.get(stranger)).status, 200);
    assertRefused(await partnerOf('Publisher').get(stranger), { status: 406, paths: ['VastTag'] });
  });

  test('reads on page by page', async () => {
    for (let more = 0; more < 4; more += 1)
      await api.add('VastTag', { Name: `More ${more}`, PublisherId: own.Publisher });
    const found: unknown[] = [];
    let cursor = '';
    do {
      const { body, headers } = await partnerOf('Publisher').get(
        `${pathOf('VastTag')}?Limit=2&Sort=-Name&Fields=Name${cursor && `&Cursor=${cursor}`}`,
      );
      found.push(...(body as never as Values[]).map(({ Name }) => Name));
      assert.equal(headers.get('bourse-total'), '5');
      cursor = headers.get('bourse-cursor') ?? '';
    } while (cursor !== '');
    assert.deepEqual(found, ['Our own', 'More 3', 'More 2', 'More 1', 'More 0']);
  });
});

/** Names of measures and dimensions that each kind of partner sees, written out here. */
const told: Readonly<Record<string, { readonly Measures: string; readonly GroupBy: string }>> = {
  Publisher: {
    Measures:
      'Requests Opportunities Impressions Clicks Starts FirstQuartiles Midpoints ThirdQuartiles Completes Skips AdErrors Cost LocalCost FillRate Ctr CompletionRate',
    GroupBy: 'Supply SupplyKind Country DeviceType Os Browser Medium Size Site SubId Region Consent Currency',
  },
  Advertiser: {
    Measures:
      'Calls Answers Timeouts Errors NoBids PausedCalls CallAttempts SyncCalls MatchedCalls Bids BidValue DealCalls Wins Bills Impressions Clicks Starts FirstQuartiles Midpoints ThirdQuartiles Completes Skips AdErrors LatencyP50 LatencyP95 LatencyP99 Revenue LocalRevenue MatchRate BidRate WinRate TimeoutRate UnavailableRate Ctr CompletionRate Ecpm',
    GroupBy:
      'Demand DemandKind Country DeviceType Medium Seat AdDomain Creative Deal Region Consent Currency',
  },
};

/** A value that a filter by a dimension takes. */
function filterValue(shows: Dimension['shows']): string | number {
  if (shows === 'text') return 'x';
  if (shows === 'reason') return 'below_floor';
  if (shows === 'number' || 'account' in shows) return 1;
  return shows.side === 'supply' ? 'VastTag:1' : 'Campaign:1';
}

describe('of figures, a partner', () => {
  const today = new Date().toJSON().slice(0, 10);
  const days = { From: today, To: today };
  const money = { Publisher: 'LocalCost', Advertiser: 'LocalRevenue' } as const;
  const common = { Publisher: 'Impressions', Advertiser: 'Impressions' } as const;
  for (const kind of kinds) {
    const ask = (question: Values) =>
      partnerOf(kind).post('/api/statistics/report', { ...days, Measures: [common[kind]], ...question });

    test(`sees the measures that are said here: ${kind}`, async () => {
      for (const [name, { by }] of measureRows) {
        const reply = await ask({ Measures: [name], GroupBy: by ? [by] : [] });
        const isTold = told[kind]?.Measures.split(' ').includes(name);
        assert.equal(reply.status, isTold ? 200 : 406, `${name}: ${reply.text}`);
        if (isTold) continue;
        assert.deepEqual(
          faultsOf(reply).map(({ Path }) => Path),
          ['Measures[0]'],
        );
        assert.equal(
          faultsOf(reply)[0]?.Message.split(': ').at(-1),
          told[kind]?.Measures.replaceAll(' ', ', '),
        );
      }
    });

    test(`groups and filters by the dimensions that are said here: ${kind}`, async () => {
      for (const [name, { shows }] of dimensionRows) {
        const isTold = told[kind]?.GroupBy.split(' ').includes(name);
        const Measures = name === 'Currency' ? [money[kind]] : [common[kind]];
        const grouped = await ask({ GroupBy: [name], Measures });
        assert.equal(grouped.status, isTold ? 200 : 406, `${name}: ${grouped.text}`);
        const Values = [filterValue(shows)];
        const filtered = await ask({ Measures, Filters: [{ Field: name, Operator: 'In', Values }] });
        assert.equal(filtered.status, isTold ? 200 : 406, `${name}: ${filtered.text}`);
      }
    });
  }
});
