import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { createLoginNotices } from '../../src/serving/login-notices.ts';
import { createSending } from '../../src/serving/sending.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Api, startApi } from './api.ts';
import { startMailServer } from './receivers.ts';
import { assertRefused } from './refusals.ts';
import { codeOf } from './totp-code.ts';

const home = '203.0.113.7';
const strange = (number: number) => `198.51.100.${number}`;
const logger = pino({ level: 'silent' });

/** Calls as a proxy passes them on, of which the server trusts one. */
function callsTo(api: Api, token = '') {
  return (path: string, body: object, forwarded: string, more: Readonly<Record<string, string>> = {}) =>
    api.as(token).send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'x-forwarded-for': forwarded, 'bourse-console': '1', ...more },
    });
}

async function startAttacked() {
  const { server, api } = await startApi({ trustedProxies: 1 });
  const call = callsTo(api);
  const pair = { Username: server.mail, Password: server.password };
  /** Strangers, each from a network of its own, who send wrong passwords for the administrator. */
  const attack = async (times = 30) => {
    for (let number = 0; number < times; number += 1) {
      await call('/api/auth/login', { ...pair, Password: 'wrong password' }, strange(number));
    }
  };
  return { server, api, call, pair, attack };
}

describe('strangers who send wrong passwords', () => {
  test('shut nobody out in a network from which the user has logged in before', async () => {
    const { call, pair, attack } = await startAttacked();
    assert.equal((await call('/api/auth/login', pair, home)).status, 200);
    await attack();
    for (const path of ['/api/auth/login', '/api/auth/session']) {
      assert.equal((await call(path, pair, home)).status, 200, path);
      assertRefused(await call(path, pair, '192.0.2.99'), { status: 429 });
    }
  });

  test('shut out no browser in which the user has logged in before, and no other has its cookie', async () => {
    const { call, pair, attack } = await startAttacked();
    const opened = await call('/api/auth/session', pair, home);
    const cookies = opened.headers.getSetCookie();
    const [browser = ''] = cookies.filter((cookie) => cookie.startsWith('bourse-browser='));
    assert.match(browser, /; Path=\/api; HttpOnly; SameSite=Strict; Max-Age=7776000$/);
    const cookie = browser.split(';')[0] ?? '';
    await attack();
    const away = '192.0.2.99';
    const withCookie = (text: string) => call('/api/auth/session', pair, away, { cookie: text });
    const [user = '', id = '', expires = '', mac = ''] = cookie.slice('bourse-browser='.length).split('.');
    for (const forged of [
      `${user}.${id}.${Number(expires) + 1}.${mac}`,
      `${user}.${'A'.repeat(16)}.${expires}.${mac}`,
      `${Number(user) + 1}.${id}.${expires}.${mac}`,
      `${user}.${id}.${expires}.${'A'.repeat(43)}`,
      `${user}.${id}.${expires}.`,
      '',
    ]) {
      assertRefused(await withCookie(`bourse-browser=${forged}`), { status: 429 });
    }
    assert.equal((await withCookie(cookie)).status, 200);
  });

  test('do not hold up what the user does in a session, wherever that is', async () => {
    const { server, api, pair, attack } = await startAttacked();
    await attack();
    const own = callsTo(api, server.token);
    const NewPassword = 'staple after staple';
    const sent = { Password: pair.Password, NewPassword };
    assert.equal((await own('/api/auth/totp/begin', { Password: pair.Password }, '192.0.2.1')).status, 200);
    assert.equal((await own('/api/auth/password', sent, '192.0.2.2')).status, 200);
  });

  test('are held up themselves, and so is their network', async () => {
    const { call, pair } = await startAttacked();
    assert.equal((await call('/api/auth/login', pair, home)).status, 200);
    const guess = (Username: string) => call('/api/auth/login', { Username, Password: 'wrong' }, home);
    for (let time = 0; time < 10; time += 1) assertRefused(await guess(pair.Username), { status: 401 });
    assertRefused(await call('/api/auth/login', pair, home), { status: 429 });
  });

  test('with the right password, who guess codes, shut nobody out at home', async () => {
    const { server, api, call, pair } = await startAttacked();
    const own = callsTo(api, server.token);
    const begun = await own('/api/auth/totp/begin', { Password: pair.Password }, home);
    const secret = String(begun.body.Secret);
    const confirmed = await own('/api/auth/totp/confirm', { Code: codeOf(secret) }, home);
    const [first, second] = confirmed.body.RecoveryCodes as readonly string[];
    assert.equal((await call('/api/auth/login', { ...pair, Code: first }, home)).status, 200);
    const statuses: number[] = [];
    for (let number = 0; number < 7; number += 1) {
      const reply = await call('/api/auth/login', { ...pair, Code: '000000' }, strange(number));
      statuses.push(reply.status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assert.equal((await call('/api/auth/login', { ...pair, Code: second }, home)).status, 200);
  });
});

test('the user is told by mail, once a day', async (t) => {
  const mail = await startMailServer();
  t.after(mail.close);
  const set = { smtpUrl: mail.url, mailFrom: 'bourse@exchange.example' };
  const { server, api } = await startApi({ trustedProxies: 1, ...set });
  const call = callsTo(api);
  for (let number = 0; number < 30; number += 1) {
    const guess = { Username: server.mail, Password: 'wrong password' };
    await call('/api/auth/login', guess, strange(number));
    await call('/api/auth/login', { ...guess, Username: 'nobody@example.com' }, strange(number + 100));
  }
  let nowMs = Date.now();
  const now = () => nowMs;
  const store = await openStore({ url: server.databaseUrl, now });
  const sending = createSending({
    config: { allowPrivateDemand: true, ...set },
    store,
    now,
    keptDays: standardKeptDays,
    logger,
    baseUrl: () => 'https://exchange.example',
  });
  after(() => Promise.all([sending.close(), store.close()]));
  const user = (await store.identity.userByMail(server.mail)) ?? assert.fail();
  /** Another process that sees the same. */
  const notify = createLoginNotices({ sending: store.sending, now, logger });
  await notify(user);
  for (let time = 0; time < 50 && mail.mails.length === 0; time += 1) await sending.run();
  await sending.run();
  const texts = () => mail.mails.map(({ to, text }) => [to, /^Subject: (.*)\r$/m.exec(text)?.[1]]);
  const notice = [[server.mail], 'Too many failed logins to your account'];
  assert.deepEqual(texts(), [notice]);
  assert.equal(mail.mails[0]?.text.includes('https://exchange.example'), true);
  nowMs += 86_400_000;
  for (let time = 0; time < 3; time += 1) await notify(user);
  for (let time = 0; time < 50 && mail.mails.length < 2; time += 1) await sending.run();
  await sending.run();
  assert.deepEqual(texts(), [notice, notice]);
});
