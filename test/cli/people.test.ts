import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createApi } from '../management/api.ts';
import { codeOf } from '../management/totp-code.ts';
import { tokenOf } from '../support/server.ts';
import { bourseProcess, stopped } from './bourse-process.ts';

const { run, serve } = bourseProcess();
const server = await serve({ BOURSE_ADMIN_PASSWORD: 'the first password' });
after(() => stopped(server));
const { url } = server;

/** What a command prints, which must succeed. */
async function printed(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout;
}

async function accountOf(token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/auth/account`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as Record<string, unknown>;
}

describe('beside a server that runs', () => {
  test('a team and a user are added, who logs in', async () => {
    assert.equal(await printed(['team', 'add', '--name', 'Acme']), 'Added team 2: Acme\n');
    const options = ['--team', '2', '--mail', 'grace@example.com', '--password', 'a password', '--role', '0'];
    const names = ['--first-name', 'Grace', '--last-name', 'Hopper'];
    assert.equal(await printed(['user', 'add', ...options, ...names]), 'Added user 2: grace@example.com\n');
    const account = await accountOf(await tokenOf(url, 'grace@example.com', 'a password'));
    const expected = {
      Id: 2,
      TeamId: 2,
      FirstName: 'Grace',
      LastName: 'Hopper',
      Role: 0,
      Team: { Name: 'Acme' },
    };
    assert.partialDeepStrictEqual(account, expected);
  });

  test("an edge's key is made, serves nothing but edges, and is revoked", async () => {
    const key = (await printed(['edge', 'add', 'Frankfurt'])).trim();
    const status = async (path: string) =>
      (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).status;
    assert.equal(await status('/api/edge/changes?Protocol=2&AfterRevision=0&WaitSeconds=0'), 200);
    assert.equal(await status('/api/auth/account'), 403);
    assert.match(await printed(['edge', 'list']), /^1 {2}Frankfurt {2}made 20/);
    await printed(['edge', 'revoke', '1']);
    assert.equal(await status('/api/edge/changes?Protocol=2&AfterRevision=0&WaitSeconds=0'), 401);
    const { code, stderr } = await run(['edge', 'revoke', '1']);
    assert.deepEqual({ code, stderr }, { code: 1, stderr: 'id names edge 1, which is not found\n' });
  });

  test('keys of trackers are rotated', async () => {
    assert.equal(await printed(['keys', 'list']), '0  used from the start\n');
    assert.match(
      await printed(['keys', 'rotate', '--in', '30']),
      /^Added tracker key 1, which is used from 20/,
    );
    assert.match(await printed(['keys', 'list']), /^0 {2}used from the start\n1 {2}used from 20/);
    const { code, stderr } = await run(['keys', 'rotate']);
    const text = 'There is already a key that takes effect later than that\n';
    assert.deepEqual({ code, stderr }, { code: 1, stderr: text });
  });

  test('a lost edge is shut out, and what to replace is listed', async () => {
    const key = (await printed(['edge', 'add', 'Lost'])).trim();
    const api = createApi(url, await tokenOf(url, 'admin@localhost', 'the first password'));
    const tag = await api.add('VastTag');
    const lost = await printed(['edge', 'lost', '2', '--in', '60']);
    assert.match(lost, /^Revoked the key of edge 2\nAdded tracker key \d, which is used from 20/);
    assert.match(lost, new RegExp(`\n {2}team 1, ortb/vasttag: Auth of ${tag.Id}\n`));
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await fetch(`${url}/api/edge/changes?Protocol=2`, { headers })).status, 401);
  });

  test('a password comes on standard input, of which only the end of the line goes', async () => {
    const options = ['--team', '1', '--mail', 'ada@example.com', '--password-stdin'];
    await printed(['user', 'add', ...options], ' with spaces \n');
    const account = await accountOf(await tokenOf(url, 'ada@example.com', ' with spaces '));
    assert.partialDeepStrictEqual(account, { TeamId: 1, Role: 1, FirstName: '', LastName: '' });
  });

  test('user password sets another, and ends the sessions', async () => {
    const token = await tokenOf(url, 'ada@example.com', ' with spaces ');
    await printed(['user', 'password', '--mail', 'ADA@example.com', '--password-stdin'], 'the second\r\n');
    assert.partialDeepStrictEqual(await accountOf(token), { Status: 'Error' });
    await assert.rejects(tokenOf(url, 'ada@example.com', ' with spaces '), /no login/);
    await tokenOf(url, 'ada@example.com', 'the second');
  });

  test('user password --revoke-keys also revokes the API keys, and tells how many', async () => {
    const token = await tokenOf(url, 'ada@example.com', 'the second');
    const body = JSON.stringify({ ApiKey: { Label: 'nightly' } });
    const headers = { authorization: `Bearer ${token}` };
    const added = await fetch(`${url}/api/auth/apikey/add`, { method: 'POST', headers, body });
    const { ApiKey } = (await added.json()) as { ApiKey: { Key: string } };
    const set = ['user', 'password', '--mail', 'ada@example.com', '--password-stdin'];
    const told = 'Set the password of ada@example.com and ended all sessions that used the old one\n';
    assert.equal(await printed(set, 'the third'), told);
    assert.partialDeepStrictEqual(await accountOf(ApiKey.Key), { TeamId: 1, Role: 1 });
    const revoked = `${told}Revoked 1 API key of ada@example.com\n`;
    assert.equal(await printed([...set, '--revoke-keys'], 'the fourth'), revoked);
    assert.partialDeepStrictEqual(await accountOf(ApiKey.Key), { Status: 'Error' });
  });

  test('token issue prints a token that works, and nothing else', async () => {
    const output = await printed(['token', 'issue', '--mail', 'admin@localhost']);
    assert.match(output, /^[\w-]{43}\n$/);
    assert.partialDeepStrictEqual(await accountOf(output.trim()), { Id: 1, TeamId: 1, Role: 0 });
  });

  test('a second factor that was lost is removed', async () => {
    const pair = ['lost@example.com', 'a password'] as const;
    await printed(['user', 'add', '--team', '1', '--mail', pair[0], '--password', pair[1]]);
    const who = createApi(url, await tokenOf(url, ...pair));
    const { body } = await who.post('/api/auth/totp/begin', { Password: pair[1] });
    await who.post('/api/auth/totp/confirm', { Code: codeOf(String(body.Secret)) });
    await assert.rejects(tokenOf(url, ...pair), /second_factor/);
    const says = await printed(['user', 'remove-totp', '--mail', pair[0]]);
    assert.equal(says, 'lost@example.com can now log in without a second factor\n');
    await tokenOf(url, ...pair);
  });
});

const add = (more: readonly string[]) => ['user', 'add', '--team', '1', '--mail', 'new@example.com', ...more];
const refusals: readonly { args: readonly string[]; input?: string; says: RegExp; never?: RegExp }[] = [
  { args: ['team', 'add', '--name', ' '], says: /^Name must not be empty/ },
  { args: add(['--password', 'hush']), says: /^Password must be at least 8/, never: /hush/ },
  { args: add(['--password', 'Letmein1']), says: /^Password is one of the first/, never: /Letmein1/ },
  {
    args: ['user', 'password', '--mail', 'admin@localhost', '--password', 'Letmein1'],
    says: /^Password is one of the first/,
    never: /Letmein1/,
  },
  {
    args: add(['--password', 'long enough', '--team', '99']),
    says: /^Team 99 is not found.*bourse team add/,
  },
  { args: add(['--password', 'long enough', '--mail', 'Admin@Localhost']), says: /^Mail .* is already used/ },
  {
    args: ['user', 'password', '--mail', 'nobody@example.com', '--password', 'long enough'],
    says: /nobody@example\.com/,
  },
  { args: ['token', 'issue', '--mail', 'nobody@example.com'], says: /nobody@example\.com/ },
];

describe('a refusal is one readable line', () => {
  for (const { args, says, never } of refusals) {
    test(`bourse ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual({ code, stdout, lines: stderr.split('\n').length }, { code: 1, stdout: '', lines: 2 });
      assert.match(stderr, says);
      if (never) assert.doesNotMatch(stderr, never);
    });
  }
});
