import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { freshUsername, posted, startApi, type Values } from './api.ts';
import { assertRefused, type Expected, faultsOf } from './refusals.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const analyst = api.as((await addUser(server, { role: 2, teamId: 1 })).token);
const stranger = api.as('x'.repeat(43));
const nobody = api.as('');

const publisher = (values: Values = {}) => ({
  Mail: 'a@b.example',
  Name: 'A',
  Country: 'US',
  Username: freshUsername(),
  ...values,
});
const wrapped = (values: Values) => JSON.stringify({ Publisher: publisher(values) });

suite('W1 the token comes as a bearer', () => {
  const path = '/api/auth/account';
  const rows: Readonly<Record<string, [authorization: string | undefined, status: number]>> = {
    'as decided': [`Bearer ${server.token}`, 200],
    'scheme in lower case (RFC 9110)': [`bearer ${server.token}`, 200],
    absent: [undefined, 401],
    empty: ['', 401],
    'no token': ['Bearer ', 401],
    'another scheme': [`Token ${server.token}`, 401],
    bare: [server.token, 401],
    'one character more': [`Bearer ${server.token}x`, 401],
    'one character less': [`Bearer ${server.token.slice(0, -1)}`, 401],
    basic: [`Basic ${btoa(`${server.mail}:${server.password}`)}`, 401],
  };
  for (const [what, [authorization, status]] of Object.entries(rows)) {
    test(`${what}: ${status}`, async () => {
      const reply = await nobody.send(
        path,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      if (status === 200) assert.equal(reply.status, 200);
      else assertRefused(reply, { status, never: [server.token] });
    });
  }
  test('a token in the query is none', async () => {
    assertRefused(await nobody.get(`${path}?token=${server.token}&access_token=${server.token}`), {
      status: 401,
    });
  });
  for (const address of ['/api/publisher/get', '/api/info/countries', '/api/info/iabcategories']) {
    test(`${address} wants one as well`, async () => {
      assertRefused(await nobody.get(address), { status: 401 });
      assertRefused(await stranger.get(address), { status: 401 });
    });
  }
});

suite('W2 token, then JSON, then role, then values', () => {
  const deep = `{"Publisher":${'['.repeat(2000)}${']'.repeat(2000)}}`;
  const callers = { nobody, stranger, analyst, api };
  const rows: readonly (readonly [
    caller: keyof typeof callers,
    what: string,
    body: string,
    status: number,
  ])[] = [
    ['nobody', 'no JSON', '{', 401],
    ['stranger', 'no JSON', '{', 401],
    ['stranger', 'nothing', '', 401],
    ['nobody', 'too much', ' '.repeat(1024 * 1024 + 1), 401],
    ['analyst', 'no JSON', '{', 400],
    ['analyst', 'nothing', '', 400],
    ['analyst', 'a wrong wrapper', '{}', 403],
    ['analyst', 'wrong values', '{"Publisher":{"Name":1}}', 403],
    ['analyst', 'a member twice', '{"Publisher":{"Name":"a","Name":"b"}}', 403],
    ['analyst', 'deep nesting', deep, 403],
    ['analyst', 'a good body', wrapped({}), 403],
    ['api', 'no JSON', '{', 400],
    ['api', 'a wrong wrapper', '{}', 406],
    ['api', 'a member twice', '{"Publisher":{"Name":"a","Name":"b"}}', 406],
    ['api', 'deep nesting', deep, 406],
  ];
  for (const [caller, what, body, status] of rows) {
    test(`${caller === 'api' ? 'an administrator' : caller} with ${what}: ${status}`, async () => {
      const before = (await api.all('Publisher')).length;
      assertRefused(await callers[caller].send('/api/publisher/add', { method: 'POST', body }), { status });
      assert.equal((await api.all('Publisher')).length, before, 'nothing is added');
    });
  }
});

suite('W3 the body is JSON, whatever the content type', () => {
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
    'multipart/form-data',
  ];
  const send = (body: string | Uint8Array, type?: string) =>
    api.send('/api/publisher/add', {
      method: 'POST',
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  for (const type of types) {
    test(`${type} with JSON is taken`, async () => {
      posted(await send(wrapped({}), type), 'Publisher');
    });
  }
  test('no content type is taken', async () => {
    posted(await send(new TextEncoder().encode(wrapped({}))), 'Publisher');
  });
  const bad: Readonly<Record<string, string | Uint8Array>> = {
    nothing: '',
    'white space': '  \n',
    'a form': 'Name=a&Mail=b',
    'half an object': '{"Publisher":{"Name":"a"',
    'single quotes': "{'Publisher':{}}",
    'a trailing comma': '{"Publisher":{},}',
    'a comment': '{"Publisher":{}} // note',
    'two objects': '{"Publisher":{}}{"Publisher":{}}',
    NaN: '{"Publisher":NaN}',
    'bytes that are no UTF-8': Uint8Array.from([0x22, 0xff, 0xfe, 0x22]),
  };
  for (const [what, body] of Object.entries(bad)) {
    for (const type of ['application/json', 'text/plain']) {
      test(`${what} as ${type} is 400`, async () => {
        assertRefused(await send(body, type), { status: 400 });
      });
    }
  }
});

suite('W4 exactly one wrapper key', () => {
  const rows: Readonly<Record<string, unknown>> = {
    none: {},
    'the bare object': publisher(),
    'another resource': { Advertiser: publisher() },
    'other letter case': { publisher: publisher() },
    'one besides': { Publisher: publisher(), Extra: 1 },
    'two wrappers': { Publisher: publisher(), Advertiser: publisher() },
    'an array': [{ Publisher: publisher() }],
    'an array below it': { Publisher: [publisher()] },
    'null below it': { Publisher: null },
    'text below it': { Publisher: 'A' },
    null: null,
    text: 'Publisher',
    number: 1,
  };
  for (const [what, body] of Object.entries(rows)) {
    test(`${what}: 406, naming the key expected`, async () => {
      assertRefused(await api.post('/api/publisher/add', body), { status: 406, says: ['Publisher'] });
    });
  }
  test('a DSP VAST Tag is wrapped as DspRtbEp and no other way', async () => {
    const { Id } = await api.add('DspVastTag');
    const reply = await api.post('/api/ortb/dspvasttag/deactivate', { DspVastTag: { Id } });
    assertRefused(reply, { status: 406, says: ['DspRtbEp'] });
    assert.equal((await api.one('DspVastTag', Id)).Status, 0);
  });
});

suite('W5 unknown fields', () => {
  const rows: readonly (readonly [field: string, known: string])[] = [
    ['MaxQPS', 'MaxQps'],
    ['Bidflor', 'Bidfloor'],
    ['publisherId', 'PublisherId'],
    ['DspVastTag', 'DspVastTags'],
    ['Country', 'Countries'],
  ];
  for (const [field, known] of rows) {
    test(`${field} is 406 and leads to ${known}`, async () => {
      const { Id } = await api.add('VastTag', { Name: 'Kept' });
      const values = { Id, Name: 'Changed', [field]: 1 };
      assertRefused(await api.post('/api/ortb/vasttag/update', { VastTag: values }), {
        status: 406,
        paths: [`VastTag.${field}`],
        says: [`\`${known}\``],
      });
      assert.equal((await api.one('VastTag', Id)).Name, 'Kept');
    });
  }
  for (const field of ['Zzzzzzzzzzzz', 'toString', 'constructor', 'hasOwnProperty', '__proto__']) {
    test(`${field} is 406`, async () => {
      const body = `{"Publisher":{"Mail":"a@b.example","Name":"A","Country":"US","Username":"${freshUsername()}","${field}":{}}}`;
      const reply = await api.send('/api/publisher/add', { method: 'POST', body });
      assertRefused(reply, { status: 406, paths: [`Publisher.${field}`] });
    });
  }
  test('unknown members inside values are 406 too', async () => {
    const { Id } = await api.add('VastTag');
    const Os = [{ Family: 'Android', Version: [] }];
    const values = { Id, Os, Countries: [{ CC: 'US', Name: 'x' }] };
    const paths = ['VastTag.Os[0].Version', 'VastTag.Countries[0].Name'];
    assertRefused(await api.post('/api/ortb/vasttag/update', { VastTag: values }), { status: 406, paths });
  });
  test('members that only answers carry are ignored, whatever they hold', async () => {
    const derived = {
      Id: 'no number',
      TeamId: 9,
      PublisherName: null,
      Auth: 'mine',
      ZoneUrls: 1,
      StatsByDateCsv: {},
      StatsByDateJson: 0,
      Qps: 'x',
      TodayRevenue: 5,
      TodayFillRate: 5,
      YesterdayRevenue: 5,
      YesterdayFillRate: 5,
      AccManagerId: 77,
      AccManagerName: 'x',
      Status: 1,
      StatusString: 'Gone',
    };
    const tag = await api.add('VastTag', derived);
    assert.deepEqual([tag.TeamId, tag.Status, tag.StatusString, tag.TodayRevenue], [1, 0, 'Active', 0]);
    assert.notEqual(tag.Auth, 'mine');
    // An update refuses another credential than the stored one.
    assert.deepEqual(await api.update('VastTag', { ...derived, Id: tag.Id, Auth: tag.Auth }), tag);
  });
});

suite('W6 and W7 every fault of a body in one answer', () => {
  const rows: Readonly<Record<string, { path: string; body: object | string } & Omit<Expected, 'status'>>> = {
    'wrong types, each with its path': {
      path: 'ortb/vasttag/add',
      body: { VastTag: { PublisherId: '1', MaxQps: 1.5, Secure: true, Name: null, Tags: {}, Bidfloor: '1' } },
      paths: ['PublisherId', 'MaxQps', 'Secure', 'Name', 'Tags', 'Bidfloor'].map((name) => `VastTag.${name}`),
    },
    'paths into lists': {
      path: 'ortb/vasttag/add',
      body: {
        VastTag: {
          PublisherId: 1,
          Countries: [{ CC: 'US' }, { CC: 'us' }, {}],
          Os: [{ Family: 'Android', Versions: [{ Major: '1', Minor: 2 }] }],
          SizesList: ['1x1', '0x0'],
          DeviceTypes: [1, 9],
        },
      },
      paths: [
        'VastTag.Countries[1].CC',
        'VastTag.Countries[2].CC',
        'VastTag.Os[0].Versions[0].Minor',
        'VastTag.SizesList[1]',
        'VastTag.DeviceTypes[1]',
      ],
    },
    'form, unknown fields and missing objects together': {
      path: 'ortb/vasttag/add',
      body: {
        VastTag: { PublisherId: 777_777, Tags: [1, 888_888], MaxQps: -1, Foo: 1, AppsList: [999_999] },
      },
      paths: [
        'VastTag.PublisherId',
        'VastTag.Tags[1]',
        'VastTag.MaxQps',
        'VastTag.Foo',
        'VastTag.AppsList[0]',
      ],
      says: ['777777', '888888', '999999'],
    },
    'a missing object beside a malformed ID in one list': {
      path: 'ortb/vasttag/add',
      body: { VastTag: { PublisherId: 1, Tags: [888_888, '1'] } },
      paths: ['VastTag.Tags[0]', 'VastTag.Tags[1]'],
    },
    'an object that is not there, and its new values': {
      path: 'ortb/vasttag/update',
      body: { VastTag: { Id: 777_777, MaxQps: -1, DspVastTags: [888_888] } },
      paths: ['VastTag.Id', 'VastTag.MaxQps', 'VastTag.DspVastTags[0]'],
    },
    'a taken name beside required fields': {
      path: 'publisher/add',
      body: { Publisher: { Username: 'taken', Mail: 'nobody', AccManagerId: 777_777 } },
      paths: ['Mail', 'Name', 'Country', 'Username', 'AccManagerId'].map((name) => `Publisher.${name}`),
    },
    'bad lines beside the rest': {
      path: 'domainlist/add',
      body: { DomainList: { Name: 1, Global: 2, ListText: 'a.example\n!' } },
      paths: ['DomainList.Name', 'DomainList.Global', 'DomainList.ListText'],
      says: [/line 2\b/],
    },
    'a whole that cannot be, beside its parts': {
      path: 'campaign/add',
      body: { Campaign: { AdvertiserId: 777_777, StartDate: '2027-02-01', EndDate: '2027-01-01', Cpm: -1 } },
      paths: ['Campaign.AdvertiserId', 'Campaign.EndDate', 'Campaign.Cpm'],
    },
    'members that stand twice, beside the rest': {
      path: 'tag/add',
      body: '{"Tag":{"Name":"a","Name":"b","Colour":"red"}}',
      paths: ['Tag.Name', 'Tag.Colour'],
    },
  };
  for (const [what, { path, body, ...expected }] of Object.entries(rows)) {
    test(what, async () => {
      await Promise.all([api.add('VastTag'), api.add('Tag')]);
      const [taken] = await api.all('Publisher', '?Limit=1');
      if (path === 'publisher/add') await api.update('Publisher', { Id: taken?.Id, Username: 'taken' });
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const reply = await api.send(`/api/${path}`, { method: 'POST', body: text });
      assertRefused(reply, { status: 406, ...expected });
      const members = faultsOf(reply).flatMap((fault) => Object.keys(fault));
      assert.deepEqual([...new Set(members)], ['Path', 'Code', 'Message']);
    });
  }
});
