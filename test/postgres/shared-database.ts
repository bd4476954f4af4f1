import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdentity } from '../../src/identity/identity.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Caller, callerOf, jsonOf } from './caller.ts';
import { logIn, type ServerPair, startPair } from './server-pair.ts';

type Fetched = Readonly<Record<string, unknown>> & { readonly Id: number };

const rounds = 60;
const hearWithinMs = 1000;

async function add(caller: Caller, path: string, wrapper: string, values: object): Promise<Fetched> {
  const body = jsonOf(await caller.post(`/api/${path}/add`, { [wrapper]: values }));
  return (body as Record<string, Fetched>)[wrapper] as Fetched;
}

async function change(caller: Caller, path: string, wrapper: string, values: object): Promise<void> {
  jsonOf(await caller.post(`/api/${path}/update`, { [wrapper]: values }));
}

const one = async (caller: Caller, path: string, id: number) =>
  jsonOf(await caller.get(`/api/${path}/get?Id=${id}`)) as Fetched;
const many = async (caller: Caller, path: string, query = '') =>
  jsonOf(await caller.get(`/api/${path}/get${query}`)) as Fetched[];

let usernames = 0;
function account(): object {
  usernames += 1;
  return { Name: 'Media', Mail: 'a@example.com', Country: 'US', Username: `pair${usernames}` };
}

/** Checks that what one server has acknowledged, the other shows; in both directions. */
function readYourWrites(pair: () => ServerPair): void {
  /** Both ways round, many times. */
  const eachWay = async (check: (a: Caller, b: Caller, round: number) => Promise<void>) => {
    const [a, b] = pair().callers;
    for (let round = 0; round < rounds; round += 1)
      await (round % 2 ? check(a, b, round) : check(b, a, round));
  };

  test('a new object is there at once, alone and in arrays', () =>
    eachWay(async (a, b, round) => {
      const { Id } = await add(a, 'tag', 'Tag', { Name: `tag ${round}` });
      assert.equal((await one(b, 'tag', Id)).Name, `tag ${round}`);
      assert.deepEqual(
        (await many(b, 'tag', `?AfterId=${Id - 1}`)).map(({ Name }) => Name),
        [`tag ${round}`],
      );
      assert.equal((await many(b, 'tag')).at(-1)?.Id, Id);
    }));

  test('a change is there at once, also where the other has just answered the object as it was', async () => {
    const { Id } = await add(pair().callers[0], 'tag', 'Tag', { Name: 'as it was' });
    await eachWay(async (a, b, round) => {
      const before = await b.get(`/api/tag/get?Id=${Id}`);
      await change(a, 'tag', 'Tag', { Id, Name: `change ${round}` });
      const now = await b.get(`/api/tag/get?Id=${Id}`);
      assert.equal((jsonOf(now) as Fetched).Name, `change ${round}`);
      assert.notEqual(now.headers.get('etag'), before.headers.get('etag'));
      jsonOf(await a.post(`/api/tag/${round % 4 < 2 ? 'de' : ''}activate`, { Tag: { Id } }));
      assert.equal((await one(b, 'tag', Id)).Status, round % 4 < 2 ? 1 : 0);
    });
  });

  test('so is what an object shows of others: names, counts, connections from the other side', async () => {
    const [first] = pair().callers;
    const publisher = await add(first, 'publisher', 'Publisher', account());
    const { Id: AdvertiserId } = await add(first, 'advertiser', 'Advertiser', account());
    const dsp = await add(first, 'ortb/dspvasttag', 'DspRtbEp', { AdvertiserId });
    let tags = 0;
    await eachWay(async (a, b, round) => {
      const tag = await add(a, 'ortb/vasttag', 'VastTag', {
        PublisherId: publisher.Id,
        DspVastTags: [dsp.Id],
      });
      tags += 1;
      assert.equal((await one(b, 'publisher', publisher.Id)).VastTagsCount, tags);
      assert.deepEqual(((await one(b, 'ortb/dspvasttag', dsp.Id)).VastTags as number[]).at(-1), tag.Id);
      assert.equal(
        (await one(b, 'ortb/vasttag', tag.Id)).PublisherName,
        round === 0 ? 'Media' : `Media ${round - 1}`,
      );
      await change(a, 'publisher', 'Publisher', { Id: publisher.Id, Name: `Media ${round}` });
      assert.equal((await one(b, 'ortb/vasttag', tag.Id)).PublisherName, `Media ${round}`);
    });
  });

  test('so is the text of a list', async () => {
    const { Id } = await add(pair().callers[0], 'domainlist', 'DomainList', { Name: 'list' });
    await eachWay(async (a, b, round) => {
      await change(a, 'domainlist', 'DomainList', { Id, ListText: `d${round}.example.com` });
      const { ListText, DomainCount } = await one(b, 'domainlist', Id);
      assert.deepEqual([ListText, DomainCount], [`d${round}.example.com`, 1]);
    });
  });
}

/** Checks that what must be once in the database is so, whichever servers are asked for it at the same time. */
function once(pair: () => ServerPair): void {
  test('the same request under the same key, sent to both at once, is done once', async () => {
    const { callers } = pair();
    for (let round = 0; round < rounds; round += 1) {
      const body = { Tag: { Name: `once ${round}` } };
      const headers = { 'idempotency-key': `both-${round}` };
      const replies = await Promise.all(
        [...callers, ...callers].map((caller) => caller.post('/api/tag/add', body, headers)),
      );
      const ids = replies.map((reply) => (jsonOf(reply) as { Tag: Fetched }).Tag.Id);
      assert.equal(new Set(ids).size, 1);
      const replayed = replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true');
      assert.equal(replayed.length, replies.length - 1);
    }
    const names = (await many(callers[0], 'tag')).map(({ Name }) => String(Name));
    assert.equal(names.filter((name) => name.startsWith('once ')).length, rounds);
  });

  test('of two that want the same user name at once, one gets it', async () => {
    const { callers } = pair();
    for (let round = 0; round < rounds / 4; round += 1) {
      const body = { Publisher: account() };
      const replies = await Promise.all(callers.map((caller) => caller.post('/api/publisher/add', body)));
      assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 406]);
    }
  });

  test('of two updates under the same ETag at once, one is done', async () => {
    const { callers } = pair();
    const { Id } = await add(callers[0], 'tag', 'Tag', { Name: 'matched' });
    for (let round = 0; round < rounds / 4; round += 1) {
      const etag = (await callers[1].get(`/api/tag/get?Id=${Id}`)).headers.get('etag') ?? '';
      const replies = await Promise.all(
        callers.map((caller, index) =>
          caller.post('/api/tag/update', { Tag: { Id, Name: `${round} ${index}` } }, { 'if-match': etag }),
        ),
      );
      assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 412]);
    }
  });
}

/** Checks that a token that one server has ended is refused by the other at once. */
function endedTokens(pair: () => ServerPair, store: () => Store): void {
  const statusAt = async (url: string, token: string) =>
    (await callerOf(url, token).get('/api/auth/account')).status;

  test('a token that was logged out or renewed at one is refused by the other at once, the new one taken', async () => {
    const [a, b] = pair().urls;
    const token = await logIn(a);
    assert.equal(await statusAt(b, token), 200);
    const renewed = jsonOf(await callerOf(a, token).post('/api/auth/refresh', {})) as { AccessToken: string };
    assert.equal(await statusAt(b, token), 401);
    assert.equal(await statusAt(b, renewed.AccessToken), 200);
    jsonOf(await callerOf(a, renewed.AccessToken).post('/api/auth/logout', {}));
    assert.equal(await statusAt(b, renewed.AccessToken), 401);
  });

  test('so is an API key that was revoked, and a session whose password was changed', async () => {
    const { urls, callers } = pair();
    const body = { ApiKey: { Label: 'both' } };
    const { ApiKey } = jsonOf(await callers[0].post('/api/auth/apikey/add', body)) as {
      ApiKey: { Id: number; Key: string };
    };
    assert.equal(await statusAt(urls[1], ApiKey.Key), 200);
    jsonOf(await callers[0].post('/api/auth/apikey/revoke', { ApiKey: { Id: ApiKey.Id } }));
    assert.equal(await statusAt(urls[1], ApiKey.Key), 401);
    const identity = createIdentity({ store: store(), now: Date.now });
    const mail = 'eve@example.com';
    await identity.addUser({ teamId: 1, mail, password: 'the old password', role: 1 });
    const { accessToken } = await identity.issueToken(mail);
    assert.equal(await statusAt(urls[1], accessToken), 200);
    await identity.setPassword(mail, 'the new password');
    assert.equal(await statusAt(urls[1], accessToken), 401);
  });
}

/** Waits until a listener of the store has been called that could read that revision; fails after a second. */
function createEars(store: Store) {
  let heardOf = 0;
  let onCall: () => void = () => undefined;
  const hear = async () => {
    heardOf = Math.max(heardOf, await store.revision());
    onCall();
  };
  const calls: Promise<void>[] = [];
  const stop = store.feed.onChange(() => void calls.push(hear()));
  // What is still being read must not meet a store that is closed.
  const end = async () => {
    stop();
    await Promise.all(calls);
  };
  const untilHeardOf = async (revision: number) => {
    const late = new AbortController();
    const hearing = new Promise<void>((resolve) => {
      onCall = () => heardOf >= revision && resolve();
      onCall();
    });
    const deadline = delay(hearWithinMs, undefined, { signal: late.signal }).then(() =>
      assert.fail(`nothing was heard of revision ${revision} for a second`),
    );
    await Promise.race([hearing, deadline]);
    late.abort();
    deadline.catch(() => undefined);
  };
  return { untilHeardOf, heardOf: () => heardOf, end };
}

function changes(pair: () => ServerPair, store: () => Store): void {
  test('a store hears of every commit of a server within a second, until it wants no more', async () => {
    const [a] = pair().callers;
    const [ears, others] = [createEars(store()), createEars(store())];
    for (let round = 0; round < 5; round += 1) {
      await add(a, 'tag', 'Tag', { Name: 'heard of' });
      await ears.untilHeardOf(await store().revision());
    }
    await ears.end();
    await add(a, 'tag', 'Tag', { Name: 'not heard of' });
    const revision = await store().revision();
    await others.untilHeardOf(revision);
    await others.end();
    assert.ok(ears.heardOf() < revision);
  });
}

/** What holds for two servers and a store on one database. To be called within `describe`. */
export function sharedDatabase(fresh: () => Promise<string>): void {
  describe('two of them', () => {
    let running: ServerPair | undefined;
    let opened: Store | undefined;
    before(async () => {
      const url = await fresh();
      running = await startPair(url);
      opened = await openStore({ url, now: Date.now });
    });
    after(async () => {
      await opened?.close();
      await running?.close();
    });
    const pair = () => running ?? assert.fail('the servers run only while tests do');
    const store = () => opened ?? assert.fail('the store is open only while tests run');

    readYourWrites(pair);
    once(pair);
    endedTokens(pair, store);
    changes(pair, store);
  });
}
