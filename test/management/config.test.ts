import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { type Api, startApi, type Values } from './api.ts';
import {
  applied,
  type Config,
  document,
  dsp,
  exported,
  inWords,
  planned,
  revisionOf,
  send,
  tag,
} from './config-calls.ts';
import { addDemoExchange } from './demo-exchange.ts';
import { exchangeView } from './exchange-view.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const idOf = await addDemoExchange(api);
const elsewhere = await startApi();

const revision = () => revisionOf(server);

/** A team of its own in another installation, whose IDs have run ahead. */
async function freshTeam(): Promise<Api> {
  return elsewhere.api.as((await addUser(elsewhere.server, { role: 0 })).token);
}

/** The same document with changes in one object. */
function edited(config: Config, entity: string, name: string, values: Values): Config {
  const objects = config[entity] as readonly Values[];
  return { ...config, [entity]: objects.map((one) => (one.Name === name ? { ...one, ...values } : one)) };
}

const supplyOrder = { VastTags: ['Corcovado TV', 'Nordlicht pre-roll', 'Lumen rewarded'].map(idOf) };

suite('export and apply', () => {
  test('on an empty team gives the same exchange, and the same document', async () => {
    await elsewhere.api.add('VastTag');
    await api.update('Campaign', { Id: idOf('Atlas film'), ...supplyOrder });
    await api.post('/api/tag/deactivate', { Tag: { Id: idOf('Trial') } });
    const config = await exported(api);
    const team = await freshTeam();
    const entries = await applied(team, config);
    assert.equal(entries.filter(({ Operation }) => Operation === 'add').length, 29);
    assert.deepEqual(await exchangeView(team), await exchangeView(api));
    assert.equal(JSON.stringify(await exported(team)), JSON.stringify(config));
  });

  test('on the team itself changes nothing, not even a revision', async () => {
    const config = await exported(api);
    const before = await revision();
    assert.deepEqual(await planned(api, config), []);
    assert.deepEqual(await applied(api, config), []);
    assert.equal(await revision(), before);
    assert.equal(JSON.stringify(await exported(api)), JSON.stringify(config));
  });

  test('the document holds no ID, no secret, no default and no order that follows by itself', async () => {
    const config = await exported(api);
    const { StatsAuth } = await api.one('Publisher', idOf('Nordlicht'));
    const { Auth } = await api.one('VastTag', idOf('Nordlicht pre-roll'));
    const text = JSON.stringify(config);
    for (const secret of [StatsAuth, Auth]) assert.ok(!text.includes(String(secret)));
    assert.doesNotMatch(
      text,
      /"(Id|TeamId|PublisherId|Auth|StatsAuth|StatusString|Qps|\w+Count|\w+Urls|\w+Csv)"/,
    );
    assert.doesNotMatch(text, /"AccManager"/, 'it is who exports');
    const [preRoll] = config.VastTag as readonly Values[];
    assert.deepEqual(Object.keys(preRoll ?? {}).slice(0, 4), ['Name', 'Publisher', 'Tags', 'AppEnabled']);
    assert.deepEqual(preRoll?.Campaigns, ['Atlas summer film']);
    const [, trial] = config.DspRtbEp as readonly Values[];
    assert.equal(trial?.BannerEps, undefined, 'the Banner EPs say it');
    const [film] = config.Campaign as readonly Values[];
    assert.deepEqual(film?.VastTags, ['Corcovado TV breaks', 'Nordlicht pre-roll', 'Lumen rewarded video']);
    assert.deepEqual((config.Tag as readonly Values[])[1], {
      Name: 'Trial',
      Status: 'Inactive',
      Color: '#4682b4',
    });
  });

  test('is of one moment, while others write', async () => {
    const team = await freshTeam();
    const { Id: PublisherId } = await team.add('Publisher');
    const { Id: AdvertiserId } = await team.add('Advertiser');
    let isOver = false;
    const writing = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const { Id } = await team.add('DspVastTag', { Name: `d${at}`, AdvertiserId });
        await team.add('VastTag', { Name: `t${at}`, PublisherId, DspVastTags: [Id] });
      }
    })();
    const configs: Config[] = [];
    // On a busy machine the first export may be done before the first tag is written.
    while (configs.length < 10 || configs.at(-1)?.VastTag === undefined) configs.push(await exported(team));
    isOver = true;
    await writing;
    for (const { VastTag = [], DspVastTag = [] } of configs as readonly Record<string, Values[]>[]) {
      assert.ok(DspVastTag.length - VastTag.length <= 1 && VastTag.length <= DspVastTag.length);
      for (const { Name, DspVastTags } of VastTag)
        assert.deepEqual(DspVastTags, [`${Name}`.replace('t', 'd')]);
    }
  });

  test('an empty team is a document without objects', async () => {
    const team = await freshTeam();
    assert.deepEqual(await exported(team), { Version: 1 });
    assert.deepEqual(await applied(team, { Version: 1 }), []);
  });
});

suite('plan', () => {
  test('tells each change in the form of the document, and apply then does just that', async () => {
    const config = await exported(api);
    const list = { ListText: 'gambling\nfree casinos\nmiracle cure' };
    const steps: readonly (readonly [entity: string, name: string, values: Values])[] = [
      [
        'VastTag',
        'Nordlicht pre-roll',
        { Bidfloor: 3, Countries: [{ CC: 'DE', Country: 'any text' }], Keywords: '' },
      ],
      ['VastTag', 'Lumen rewarded video', { DspVastTags: [], Publisher: 'Nordlicht Media' }],
      ['Tag', 'Trial', { Status: 'Active' }],
      ['Tag', 'Premium', { Status: 'Inactive' }],
      ['KeywordList', 'Unsafe keywords', list],
    ];
    const next = steps.reduce((one, [entity, name, values]) => edited(one, entity, name, values), config);
    const added = { ...next, Tag: [...(next.Tag as Values[]), { Name: 'New' }] };
    const before = [await revision(), JSON.stringify(await exported(api))];
    const plan = await planned(api, added);
    assert.deepEqual([await revision(), JSON.stringify(await exported(api))], before);
    assert.deepEqual(inWords(plan), [
      'update VastTag "Nordlicht pre-roll"; Countries [] → [{"CC":"DE"}]; Bidfloor 2.5 → 3; Keywords "news,weather,northern germany" → ""',
      'update VastTag "Lumen rewarded video"; Publisher "Lumen Games" → "Nordlicht Media"; DspVastTags ["Bidharbor video, apps"] → []',
      'update DspVastTag "Bidharbor video, apps"; VastTags ["Lumen rewarded video","Corcovado TV breaks"] → ["Corcovado TV breaks"]',
      'update KeywordList "Unsafe keywords"; ListText "3 lines" → "3 lines (1 added, 1 removed)"',
      'deactivate Tag "Premium"',
      'activate Tag "Trial"',
      'add Tag "New"',
    ]);
    const dry = await applied(api, added, '?DryRun=1');
    assert.deepEqual(inWords(dry), inWords(plan));
    assert.deepEqual([await revision(), JSON.stringify(await exported(api))], before);
    const done = await applied(api, added);
    assert.deepEqual(inWords(done), inWords(plan));
    assert.deepEqual(
      done.map(({ Id }) => Id > 0),
      plan.map(() => true),
    );
    assert.deepEqual(await planned(api, added), []);
    assert.equal((await api.one('Tag', done.at(-1)?.Id ?? 0)).Name, 'New');
    assert.equal((await api.one('KeywordList', idOf('Unsafe keywords'))).KeywordCount, 3);
    await applied(api, config);
    assert.deepEqual(inWords(await planned(api, config)), ['unmanaged Tag "New"']);
  });

  test('objects that the document does not name are left alone, unless it is asked otherwise', async () => {
    const team = await freshTeam();
    const config = { Version: 1, Tag: [{ Name: 'a' }, { Name: 'b' }, { Name: 'c', Status: 'Inactive' }] };
    await applied(team, config);
    const less = { Version: 1, Tag: [{ Name: 'a' }] };
    assert.deepEqual(inWords(await applied(team, less)), ['unmanaged Tag "b"', 'unmanaged Tag "c"']);
    const asked = '?DeactivateMissing=1';
    const expected = ['deactivate Tag "b"', 'unmanaged Tag "c"'];
    assert.deepEqual(inWords(await planned(team, less, asked)), expected);
    assert.deepEqual(
      (await team.all('Tag')).map(({ Status }) => Status),
      [0, 0, 1],
    );
    assert.deepEqual(inWords(await applied(team, less, asked)), expected);
    assert.deepEqual(
      (await team.all('Tag')).map(({ Status }) => Status),
      [0, 1, 1],
    );
    assert.deepEqual(inWords(await applied(team, less, asked)), ['unmanaged Tag "b"', 'unmanaged Tag "c"']);
  });
});

suite('connections between objects of one document', () => {
  const cases: readonly (readonly [what: string, config: Values, tags: Values, dsps: Values])[] = [
    [
      'written on one side, in any order of sections',
      {
        DspVastTag: [dsp('d1'), dsp('d2')],
        VastTag: [tag('t1', { DspVastTags: ['d2', 'd1', 'd2'] }), tag('t2')],
      },
      { t1: ['d2', 'd1'], t2: [] },
      { d1: ['t1'], d2: ['t1'] },
    ],
    [
      'written on the other side',
      {
        VastTag: [tag('t1'), tag('t2')],
        DspVastTag: [dsp('d1', { VastTags: ['t2', 't1'] }), dsp('d2', { VastTags: ['t1'] })],
      },
      { t1: ['d1', 'd2'], t2: ['d1'] },
      { d1: ['t2', 't1'], d2: ['t1'] },
    ],
    [
      'written on both sides, each in an order of its own',
      {
        VastTag: [tag('t1', { DspVastTags: ['d2', 'd1'] }), tag('t2', { DspVastTags: ['d1', 'd2'] })],
        DspVastTag: [dsp('d1', { VastTags: ['t2', 't1'] }), dsp('d2', { VastTags: ['t1', 't2'] })],
      },
      { t1: ['d2', 'd1'], t2: ['d1', 'd2'] },
      { d1: ['t2', 't1'], d2: ['t1', 't2'] },
    ],
  ];
  const emptied = document({ VastTag: [tag('t1'), tag('t2')], DspVastTag: [dsp('d1'), dsp('d2')] });
  for (const [what, more, tags, dsps] of cases) {
    test(what, async () => {
      const other = await startApi();
      const config = document(more);
      const check = async () => {
        const [vast, demand] = [await other.api.all('VastTag'), await other.api.all('DspVastTag')];
        const names = new Map([...vast, ...demand].map((one) => [`${one.Name}`, one.Id]));
        const seen = (objects: readonly Values[], field: string, of: readonly Values[]) =>
          Object.fromEntries(
            objects.map((one) => [
              one.Name,
              (one[field] as number[]).map((id) => of.find(({ Id }) => Id === id)?.Name),
            ]),
          );
        assert.equal(names.size, 4);
        assert.deepEqual(seen(vast, 'DspVastTags', demand), tags);
        assert.deepEqual(seen(demand, 'VastTags', vast), dsps);
      };
      await applied(other.api, config);
      await check();
      assert.deepEqual(await applied(other.api, config), []);
      await applied(other.api, emptied);
      assert.deepEqual(await applied(other.api, emptied), []);
      const plan = await applied(other.api, config);
      assert.ok(plan.every(({ Operation }) => Operation === 'update'));
      await check();
      assert.deepEqual(await applied(other.api, config), []);
    });
  }

  test('may name objects of the team that the document does not name', async () => {
    const other = await startApi();
    await applied(other.api, document({ DspVastTag: [dsp('d1')] }));
    const config = { Version: 1, VastTag: [tag('t1', { DspVastTags: ['d1'] })] };
    assert.deepEqual(inWords(await applied(other.api, config)), [
      'add VastTag "t1"',
      'unmanaged Publisher "P"',
      'unmanaged Advertiser "A"',
      'unmanaged DspVastTag "d1"',
    ]);
    const misnamed = { Version: 1, VastTag: [tag('t1', { DspVastTags: ['d2'] })] };
    assertRefused(await send(other.api, 'apply', misnamed), { status: 406, says: [/did you mean `d1`/] });
    const tagIds = (await other.api.all('VastTag')).map(({ Id }) => Id);
    assert.deepEqual((await other.api.all('DspVastTag'))[0]?.VastTags, tagIds);
    const touching = async (more: Values) =>
      inWords(await planned(other.api, document(more))).filter((line) => !line.startsWith('unmanaged'));
    assert.deepEqual(await touching({ DspVastTag: [dsp('d1')] }), [], 'left out, it is left alone');
    const cut = 'update DspVastTag "d1"; VastTags ["t1"] → []';
    assert.deepEqual(await touching({ DspVastTag: [dsp('d1', { VastTags: [] })] }), [cut]);
    assert.deepEqual(
      await touching({ VastTag: [tag('t2', { DspVastTags: ['d1'] })], DspVastTag: [dsp('d1')] }),
      ['add VastTag "t2"', 'update DspVastTag "d1"; VastTags ["t1"] → ["t1","t2"]'],
    );
  });
});

suite('a reference that is not to the owner', () => {
  test('is set whichever object is added first, changed, and ended by leaving it out', async () => {
    const team = await freshTeam();
    const account = { Mail: 'p@example.com', Country: 'DE' };
    const endpoint = (more: Values = {}) => ({
      Version: 1,
      Publisher: [{ ...account, Name: 'P', Username: 'referring-p' }],
      Advertiser: [{ ...account, Name: 'A', Username: 'referring-a' }],
      RtbEp: [{ Name: 'e', Publisher: 'P', ...more }],
      DspRtbEp: [dsp('d1'), dsp('d2')],
    });
    const named = endpoint({ BuyerUidOf: 'd2' });
    await applied(team, named);
    const [second] = (await team.all('DspRtbEp')).filter(({ Name }) => Name === 'd2');
    const held = async () => (await team.all('RtbEp'))[0]?.BuyerUidOf;
    assert.equal(await held(), second?.Id);
    const [{ BuyerUidOf } = assert.fail()] = (await exported(team)).RtbEp as readonly Values[];
    assert.equal(BuyerUidOf, 'd2');
    assert.deepEqual(inWords(await applied(team, named)), []);
    const change = ['update RtbEp "e"; BuyerUidOf "d2" → "d1"'];
    assert.deepEqual(inWords(await applied(team, endpoint({ BuyerUidOf: 'd1' }))), change);
    assert.notEqual(await held(), second?.Id);
    await applied(team, endpoint());
    assert.equal(await held(), 0);
  });
});

suite('keys', () => {
  const config = document({
    Tag: [
      { Name: 'Same' },
      { Key: 'Same~2', Name: 'Same', Color: 'red' },
      { Key: 'Same~2~1', Name: 'Same~2', Color: 'blue' },
    ],
    VastTag: [
      { Key: '~1', Publisher: 'P', Tags: ['Same~2', 'Same~2~1'] },
      { Key: '~2', Publisher: 'P', Tags: ['Same'] },
    ],
  });

  test('tell objects of one name and without a name apart', async () => {
    const team = await freshTeam();
    await applied(team, config);
    assert.deepEqual(await exported(team), config);
    assert.deepEqual(await applied(team, config), []);
    const third = { Key: 'Same~3', Name: 'Same' };
    const next = { ...config, Tag: [{ Key: 'Same~2', Name: 'Same', Color: 'green' }, third] };
    const entries = inWords(await planned(team, { ...next, VastTag: [] }));
    assert.deepEqual(entries.slice(0, 2), ['update Tag "Same~2"; Color "red" → "green"', 'add Tag "Same~3"']);
  });

  test('are found among more objects than are read at a time', async () => {
    const team = await freshTeam();
    const tags = { Version: 1, Tag: Array.from({ length: 400 }, (_, index) => ({ Name: `no. ${index}` })) };
    await applied(team, tags);
    assert.deepEqual(await exported(team), tags);
    assert.deepEqual(await applied(team, tags), []);
  });

  test('keep names that are numbers in their order', async () => {
    const team = await freshTeam();
    const tags = { Version: 1, Tag: [{ Name: '10' }, { Name: '2' }, { Name: 'null' }, { Name: ' ' }] };
    await applied(team, tags);
    assert.deepEqual(await exported(team), tags);
  });
});

suite('account managers', () => {
  test('by mail address; left out for who exports or applies; "" for nobody', async () => {
    const { teamId, token } = await addUser(server, { role: 0 });
    const other = await addUser(server, { role: 1, teamId });
    const [one, two] = [api.as(token), api.as(other.token)];
    const mail = (await two.get('/api/auth/account')).body.Mail;
    const accounts = ['one', 'two', 'nobody'].map((Name) => ({
      Name,
      Mail: 'a@example.com',
      Country: 'DE',
      Username: `managed-${Name}`,
      ...({ two: { AccManager: mail }, nobody: { AccManager: '' } }[Name] ?? {}),
    }));
    const config = { Version: 1, Advertiser: accounts };
    await applied(one, config);
    const ids = (await one.all('Advertiser')).map(({ AccManagerId }) => AccManagerId);
    assert.deepEqual(ids.slice(1), [other.id, 0]);
    assert.deepEqual(await exported(one), { Version: 1, Advertiser: accounts.map(inWireOrder) });
    const managers = async (caller: Api) =>
      ((await exported(caller)).Advertiser as readonly Values[]).map(({ AccManager }) => AccManager);
    const first = (await one.get('/api/auth/account')).body.Mail;
    assert.deepEqual(await managers(two), [first, undefined, '']);
    assert.deepEqual(await applied(two, config), [], 'a manager that is left out stays');
    const given = [{ ...accounts[0], AccManager: mail }];
    const [change] = inWords(await applied(one, { Version: 1, Advertiser: given }));
    assert.equal(change, `update Advertiser "one"; AccManager "${first}" → "${mail}"`);
    const nobody = { Version: 1, Advertiser: [{ ...accounts[0], AccManager: '' }] };
    const [cleared] = inWords(await applied(one, nobody));
    assert.equal(cleared, `update Advertiser "one"; AccManager "${mail}" → ""`);
    assert.equal((await one.all('Advertiser'))[0]?.AccManagerId, 0);
  });
});

/** Members in the order of the document. */
function inWireOrder({ Name, Mail, Country, ...rest }: Values): Values {
  return { Name, Mail, Country, ...rest };
}

suite('on the wire', () => {
  test('analysts export and plan, and do not apply', async () => {
    const me = await addUser(server, { role: 2, teamId: 1 });
    const analyst = api.as(me.token);
    assert.ok('VastTag' in (await exported(analyst)));
    const document = { Version: 1, Tag: [{ Name: 'wanted by an analyst' }] };
    const [planned, byManager] = await Promise.all([
      send(analyst, 'plan', document),
      send(api, 'plan', document),
    ]);
    assert.equal(planned.status, 200, planned.text);
    assert.deepEqual(planned.body, byManager.body);
    assertRefused(await send(analyst, 'apply', document), { status: 403 });
    assert.ok(!JSON.stringify(await exported(api)).includes('wanted by an analyst'));
  });

  test('without a token: 401', async () => {
    assertRefused(await api.as('').get('/api/config/export'), { status: 401 });
    assertRefused(await send(api.as(''), 'apply', { Version: 1 }), { status: 401 });
  });

  test('the body has one wrapper key, and the query known parameters only', async () => {
    assertRefused(await api.post('/api/config/apply', { Version: 1 }), { status: 406, says: ['`Config`'] });
    assertRefused(await api.post('/api/config/apply', { Config: [] }), { status: 406, paths: ['Config'] });
    assertRefused(await send(api, 'plan?Deactivate=1', { Version: 1 }), {
      status: 406,
      paths: ['Deactivate'],
    });
    assertRefused(await api.get('/api/config/export?Id=1'), { status: 406, paths: ['Id'] });
    const twice = '{"Config":{"Version":1,"Tag":[{"Name":"a","Name":"b"}]}}';
    const reply = await api.send('/api/config/plan', { method: 'POST', body: twice });
    assertRefused(reply, { status: 406, paths: ['Config.Tag[0].Name'] });
  });

  test('an Idempotency-Key gives the first answer again', async () => {
    const team = await freshTeam();
    const body = JSON.stringify({ Config: { Version: 1, Tag: [{ Name: 'once' }] } });
    const sending = { method: 'POST', body, headers: { 'idempotency-key': 'config-1' } };
    const first = await team.send('/api/config/apply', sending);
    const again = await team.send('/api/config/apply', sending);
    assert.deepEqual([first.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });

  test('who applies stands in the history', async () => {
    const user = await addUser(elsewhere.server, { role: 1 });
    const team = elsewhere.api.as(user.token);
    const [entry] = await applied(team, { Version: 1, Tag: [{ Name: 'mine' }] });
    const store = await openConfiguredStore(elsewhere.server.databaseUrl);
    const [change] = await store.changes(user.teamId, { entity: 'Tag' }, 1).finally(() => store.close());
    assert.deepEqual([change?.userId, change?.id, change?.operation], [user.id, entry?.Id, 'add']);
  });
});
