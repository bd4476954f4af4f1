import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { entities } from '../../src/entities/registry.ts';
import { type Fetched, freshIn, posted, startApi, type Values } from './api.ts';
import { leftOutOfArrays, memberOrders, unsettledInArrays } from './member-orders.ts';
import { assertRefused } from './refusals.ts';
import { type ResourceName, resourceNames, resourceOf, resources } from './resources.ts';
import { settled } from './settled.ts';

const { api } = await startApi();
const idsOf = (objects: readonly Fetched[]) => objects.map(({ Id }) => Id);

/** A change of one object: what is sent, and that nothing else may change by it. */
const changes: Readonly<Record<ResourceName, readonly Values[]>> = {
  Publisher: [{ Website: 'https://a.example' }, { Website: '' }, { Mail: 'new@example.com', SellerType: 3 }],
  Advertiser: [{ City: 'Paris' }, { City: '' }, { Country: 'FR' }],
  VastTag: [{ Mimes: ['video/mp4'], Width: 640 }, { Mimes: [] }, { SizesList: ['1x1'] }, { SizesList: [] }],
  DspVastTag: [{ PubIdList: '1\n2' }, { PubIdList: '' }, { FixedCpm: 1.5 }, { FixedCpm: 0 }],
  RtbEp: [{ IabCategories: ['IAB1'] }, { IabCategories: [] }, { RevenueCountingMethod: 2, PubIdList: 'x' }],
  DspRtbEp: [{ CustomParams: { 'imp.tagid': 'a' } }, { CustomParams: {} }, { Gzip: 1, ExpiryWindow: 30 }],
  PopFeed: [{ SubidList: 'x' }, { SubidList: '' }, { DeviceTypes: [1] }, { DeviceTypes: [] }],
  DspPopFeed: [{ DirectUrl: 'https://a.example/?s={subid}' }, { DirectUrl: '' }, { PriceImp1000: 1 }],
  Campaign: [{ StartDate: '2027-01-01' }, { StartDate: '' }, { Type: 3 }, { Attributes: [1] }],
  BannerEp: [{ Width: 300, Height: 250 }, { Keywords: 'a,b' }, { Keywords: '' }],
  Deal: [
    { Type: 4, PriceType: 3, Price: 12.5, Currency: 'EUR', Units: 1000, TotalCost: 12.5 },
    { StartTime: '2027-01-01', EndTime: '2027-01-31T18:00', TimeZone: 'Europe/Berlin' },
    { StartTime: '', EndTime: '', TimeZone: '', Priority: 1, AdTypes: [1, 2], SeatList: 'a' },
    { AdTypes: [], SeatList: '', AdvertiserDomains: 'brand.example', UpstreamCode: 'X-1', OverrideBlocks: 1 },
    { Curator: 'curator.example', CurationFeeType: 1, CurationFee: 10, PushUrl: 'https://dsp.example/deals' },
  ],
  FloorRule: [
    { Floor: 1.5, FloorInForce: 1.5, Currency: 'EUR', Net: 1, Priority: 3, SkipPercent: 10 },
    { Auto: 1, AutoMin: 2, AutoMax: 4, FloorInForce: 2 },
    { DeviceTypes: [4], AdTypes: [1], SizesList: ['300x250'], AdvertiserDomains: 'brand.example' },
    { DeviceTypes: [], AdTypes: [], SizesList: [], AdvertiserDomains: '', SkipPercent: 0 },
  ],
  DomainList: [{ Name: 'B' }, { Global: 1 }, { Global: 0 }],
  AppList: [{ Name: 'B' }, { Global: 1 }, { Global: 0 }],
  IpList: [{ Name: 'B' }, { Global: 1 }, { Global: 0 }],
  KeywordList: [{ Name: 'B' }, { Global: 1 }, { Global: 0 }],
  Tag: [{ Color: 'red' }, { Color: '' }, { Name: 'B' }],
  Report: [
    { GroupBy: ['Day', 'Publisher'], PivotBy: 'Publisher' },
    { GroupBy: [], PivotBy: '' },
    { Period: '', From: '2027-01-01', To: '2027-01-31', TimeZone: 'Asia/Kathmandu' },
    { Schedule: 1, ScheduleHour: 23, Mails: ['desk@example.com'] },
    { Filters: [{ Field: 'Supply', Operator: 'NotIn', Values: ['VastTag:7'] }], CompareTo: 'Week' },
    { OrderBy: [{ Field: 'Requests', Direction: 'Desc' }, { Field: 'Requests' }], Limit: 10 },
  ],
  Alert: [
    { Condition: 'Above', Measure: 'TimeoutRate', Threshold: 40.5, GroupBy: 'Demand', MinVolume: 100 },
    { Condition: 'Below', Measure: 'Profit', Threshold: -5, MinVolumeOf: 'Requests', Hysteresis: 2 },
    { Condition: 'FallsBy', Measure: 'Revenue', Threshold: 50, CompareTo: 'Week', TimeZone: 'Europe/Berlin' },
    { Filters: [{ Field: 'Supply', Operator: 'NotIn', Values: ['VastTag:7'] }], Window: 1440 },
    { Muted: 1, MutedUntil: '2027-01-31T12:00:00Z', Mails: ['desk@example.com'] },
    { Muted: 0, MutedUntil: '', HoldMinutes: 0, EndMinutes: 0 },
  ],
};

test('the program has exactly the resources that are decided', () => {
  const found = entities.map(({ path, wrapper }) => `${path} ${wrapper}`).sort();
  const decided = Object.values(resources).map(({ path, wrapper }) => `${path} ${wrapper}`);
  assert.deepEqual(found, decided.sort());
});

for (const name of resourceNames) {
  const { path, wrapper, owner, managed } = resourceOf(name);
  const post = (operation: string, values: Values) =>
    api.post(`/api/${path}/${operation}`, { [wrapper]: values });

  suite(`${name} at ${path}`, () => {
    test('add answers an active object under its wrapper, and get the same', async () => {
      const object = await api.add(name);
      assert.ok(Number.isInteger(object.Id) && object.Id > 0);
      assert.deepEqual([object.Status, object.StatusString], [0, 'Active']);
      assert.deepEqual(Object.keys(object).slice(0, 2), ['Id', 'TeamId']);
      const { ListText, ...rest } = await api.one(name, object.Id);
      assert.deepEqual(settled(rest), settled(object));
      assert.deepEqual(Object.keys(rest), Object.keys(object), 'members in the same order');
      if (path.endsWith('list')) assert.equal(ListText, '');
    });

    test('update changes what is sent, keeps what is omitted, and clears', async () => {
      const other = await api.add(name);
      let expected: Values = await api.add(name);
      for (const change of changes[name]) {
        expected = { ...expected, ...change };
        assert.deepEqual(settled(await api.update(name, { Id: expected.Id, ...change })), settled(expected));
        const { ListText: _, ...stored } = await api.one(name, Number(expected.Id));
        assert.deepEqual(settled(stored), settled(expected));
      }
      const { ListText: _, ...untouched } = await api.one(name, other.Id);
      assert.deepEqual(settled(untouched), settled(other), 'another object stays as it was');
    });

    test('a fetched object can be sent back, whole, and changes nothing', async () => {
      const { Id } = await api.add(name);
      const fetched = await api.one(name, Id);
      await api.update(name, fetched);
      assert.deepEqual(settled(await api.one(name, Id)), settled(fetched));
    });

    test('a fetched object can be added again, as another one', async () => {
      const fetched = await api.one(name, (await api.add(name)).Id);
      const fresh = freshIn(fetched);
      const again = posted(await post('add', { ...fetched, ...fresh, Status: 1 }), wrapper);
      assert.notEqual(again.Id, fetched.Id);
      assert.equal(again.Status, 0, 'a new object is active');
      for (const secret of ['Auth', 'AuthDirectUrl', 'StatsAuth']) {
        if (secret in fetched) assert.notEqual(again[secret], fetched[secret]);
      }
    });

    test('deactivate and activate, each twice, change the status and no more', async () => {
      const added = await api.add(name);
      const inactive = { ...added, Status: 1, StatusString: 'Inactive' };
      const steps = [
        ['activate', added] as const,
        ['deactivate', inactive] as const,
        ['deactivate', inactive] as const,
        ['activate', added] as const,
      ];
      for (const [operation, expected] of steps) {
        assert.deepEqual(
          settled(posted(await post(operation, { Id: added.Id }), wrapper)),
          settled(expected),
        );
      }
    });

    for (const operation of ['update', 'activate', 'deactivate']) {
      test(`${operation} of an unknown Id is 406`, async () => {
        const before = (await api.all(name)).length;
        const paths = [`${wrapper}.Id`];
        assertRefused(await post(operation, { Id: 888_888 }), { status: 406, paths, says: ['888888'] });
        assertRefused(await post(operation, {}), { status: 406, paths });
        assert.equal((await api.all(name)).length, before);
      });
    }

    test('the array form leaves out what is list-valued, and nothing else', async () => {
      const object = await api.one(name, (await api.add(name)).Id);
      const [row = {}] = await api.all(name, `?AfterId=${object.Id - 1}&Limit=1`);
      const settled = (names: readonly string[]) => names.filter((key) => !unsettledInArrays.includes(key));
      const expected = Object.keys(object).filter((key) => !leftOutOfArrays[name]?.includes(key));
      assert.deepEqual(settled(Object.keys(row)), settled(expected));
      for (const [key, value] of Object.entries(row)) assert.deepEqual(value, object[key]);
      for (const key of leftOutOfArrays[name] ?? []) assert.ok(key in object, `${key} is in the single form`);
    });

    test('Limit and AfterId page through the array in order of Id', async () => {
      for (let count = 0; count < 3; count += 1) await api.add(name);
      const all = idsOf(await api.all(name));
      assert.deepEqual(
        all,
        all.toSorted((a, b) => a - b),
      );
      assert.deepEqual(idsOf(await api.all(name, '?Limit=2')), all.slice(0, 2));
      assert.deepEqual(idsOf(await api.all(name, `?Limit=1&AfterId=${all[0]}`)), all.slice(1, 2));
      assert.deepEqual(idsOf(await api.all(name, `?AfterId=${all[1]}`)), all.slice(2));
      assert.deepEqual(idsOf(await api.all(name, '?Limit=0&AfterId=0')), all);
      assert.deepEqual(await api.all(name, `?AfterId=${all.at(-1)}`), []);
    });

    test('get takes the filters that fit, and no others', async () => {
      const fitting = [
        'Id',
        'ActiveOnly',
        ...(owner ? [`${owner}Id`] : []),
        ...(managed ? ['AccManagerId'] : []),
      ];
      for (const parameter of ['Id', 'ActiveOnly', 'PublisherId', 'AdvertiserId', 'AccManagerId']) {
        const reply = await api.get(`/api/${path}/get?${parameter}=0`);
        if (fitting.includes(parameter)) assert.equal(reply.status, 200, `${parameter}: ${reply.text}`);
        else assertRefused(reply, { status: 406, paths: [parameter] });
      }
    });
  });
}

for (const [name, order] of Object.entries(memberOrders)) {
  test(`${name} has the members of its field table, in that order`, async () => {
    const { Id } = await api.add(name as ResourceName);
    assert.deepEqual(Object.keys(await api.one(name as ResourceName, Id)), order);
  });
}
