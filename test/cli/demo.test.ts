import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { entities } from '../../src/entities/registry.ts';
import { bourseProcess, stopped } from './bourse-process.ts';

type Shown = Readonly<Record<string, unknown>> & { readonly Id: number; readonly Name: string };

/** Every entity by which others are bought or sold, with the fields that connect it. */
const connected = entities.flatMap(({ key, path, wrapper, fields }) => {
  const names = Object.keys(fields).filter((name) => {
    const { place } = fields[name] ?? {};
    return place?.kind === 'connection' && place.mirror !== undefined;
  });
  return names.length === 0 ? [] : [{ key, path, wrapper, names }];
});

const { run, serve } = bourseProcess();
const first = await run(['demo']);
const server = await serve();
after(async () => assert.doesNotMatch((await stopped(server)).output, /Administrator/, 'it has one'));
const token = (await run(['token', 'issue', '--mail', 'admin@localhost'])).stdout.trim();

async function all(path: string): Promise<readonly Shown[]> {
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(`${server.url}/api/${path}/get`, { headers })).json()) as readonly Shown[];
}

test('demo fills a new database and tells its administrator', () => {
  assert.equal(first.code, 0);
  assert.match(
    first.stderr,
    /^Warning: nothing answers at http:\S+ \(\w+\).* Start the server .*--again --server/,
  );
  assert.match(
    first.stdout,
    /^Administrator: admin@localhost\nPassword \(shown only this once\): \S+\nAdded 3 Pub/,
  );
});

/** Reports and alerts are for people to save. */
const shown = entities.filter(({ key }) => key !== 'Report' && key !== 'Alert');

describe('the exchange of demo', () => {
  for (const { path, title } of shown) {
    test(`has a ${title}, each with a name of its own`, async () => {
      const names = (await all(path)).map(({ Name }) => Name);
      assert.ok(names.length > 0);
      assert.ok(names.every((name) => name !== ''));
      assert.equal(new Set(names).size, names.length);
    });
  }

  for (const { key, path, wrapper, names } of connected) {
    test(`every ${key} is connected`, async () => {
      for (const object of await all(path)) {
        const partners = names.flatMap((name) => object[name] as number[]);
        assert.ok(partners.length > 0, object.Name);
      }
    });

    test(`every ${key} may meet all that it is connected to`, async () => {
      for (const { Id } of await all(path)) {
        const body = JSON.stringify({ [wrapper]: { Id } });
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`${server.url}/api/${path}/update`, { method: 'POST', headers, body });
        assert.equal(((await answer.json()) as { readonly Warnings?: object }).Warnings, undefined);
      }
    });
  }
});

test('a second time it refuses, and changes nothing', async () => {
  const before = await all('publisher');
  const { code, stdout, stderr } = await run(['demo']);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.match(stderr, /^Team 1 has objects already \(Publisher\), .*--mail.*BOURSE_DATABASE_URL.*--again/);
  assert.deepEqual(await all('publisher'), before);
});

test('where it fails in the middle nothing is left, and the next time it succeeds', async () => {
  const fresh = bourseProcess();
  // Makes the team, and refuses.
  await fresh.run(['demo', '--mail', 'nobody@example.com']);
  assert.equal((await fresh.run(['team', 'add', '--name', 'Rival'])).code, 0);
  const rival = join(dirname(fresh.databasePath), 'rival.yaml');
  const holdName = async (Username: string) => {
    const advertiser = { Name: 'Rival', Mail: 'rival@example.com', Country: 'NO', Username };
    writeFileSync(rival, JSON.stringify({ Version: 1, Advertiser: [advertiser] }));
    assert.equal((await fresh.run(['apply', rival, '--team', '2'])).code, 0);
  };
  await holdName('fjord-mobility');
  const { code, stderr } = await fresh.run(['demo']);
  assert.equal(code, 1);
  assert.match(stderr, /"fjord-mobility" is already used/);
  assert.match((await fresh.run(['export', '--team', '1'])).stdout, /^#.*\n\nVersion: 1\n$/);
  await holdName('rival');
  const again = await fresh.run(['demo']);
  assert.equal(again.code, 0);
});

describe('beside a server that has made its administrator', () => {
  test('demo fills the database, and the server shows it at once', async () => {
    const fresh = bourseProcess();
    const running = await fresh.serve({ BOURSE_ADMIN_MAIL: 'ada@example.com' });
    const { code, stdout, stderr } = await fresh.run(['demo', '--server', running.url]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal((await fetch(`${running.url}/demo/player`)).status, 200);
    assert.match(stdout, /^Added .* for ada@example\.com\n/);
    const { stdout: key } = await fresh.run(['token', 'issue', '--mail', 'ada@example.com']);
    const headers = { authorization: `Bearer ${key.trim()}` };
    const tags = (await (
      await fetch(`${running.url}/api/ortb/vasttag/get`, { headers })
    ).json()) as unknown[];
    assert.equal(tags.length, 3);
    await stopped(running);
  });

  test('for a user who is not there it refuses, and adds nothing', async () => {
    const fresh = bourseProcess();
    const { code, stderr } = await fresh.run(['demo', '--mail', 'nobody@example.com']);
    assert.equal(code, 1);
    assert.match(stderr, /nobody@example\.com/);
    assert.equal((await fresh.run(['demo'])).code, 0);
  });
});

describe('an address that was wrong', () => {
  const here = bourseProcess();
  const headers = async () => {
    const { stdout } = await here.run(['token', 'issue', '--mail', 'admin@localhost']);
    return { authorization: `Bearer ${stdout.trim()}` };
  };
  const urlsOf = async (url: string, path: string) => {
    const answer = await fetch(`${url}/api/${path}/get`, { headers: await headers() });
    return (await answer.text()).match(/http:[^"]+\/demo\/[^"]+/g) ?? [];
  };

  test('is mended by --again, in all that leads there, and once is enough', async () => {
    const running = await here.serve();
    const wrong = await here.run(['demo', '--server', 'http://127.0.0.1:9']);
    assert.equal(wrong.code, 0);
    assert.match(wrong.stderr, /^Warning: nothing answers at http:\/\/127\.0\.0\.1:9 /);
    const paths = ['ortb/dspvasttag', 'ortb/dsprtbep', 'xml/dsppopfeed', 'campaign'];
    const before = await Promise.all(paths.map((path) => urlsOf(running.url, path)));
    assert.ok(before.every((urls) => urls.length > 0 && urls.every((url) => url.includes('127.0.0.1:9/'))));
    const mended = await here.run(['demo', '--again', '--server', running.url]);
    assert.deepEqual([mended.code, mended.stderr], [0, '']);
    assert.match(
      mended.stdout,
      /^The demonstration is now at http:\S+ \(6 objects changed\) for admin@localhost\n/,
    );
    const after = await Promise.all(paths.map((path) => urlsOf(running.url, path)));
    assert.deepEqual(
      after,
      before.map((urls) => urls.map((url) => url.replace('http://127.0.0.1:9', running.url))),
    );
    const { code, stdout } = await here.run([
      'simulate',
      '--server',
      running.url,
      '--duration',
      '1',
      '--rate',
      '40',
      '--json',
    ]);
    assert.ok(code === 0 && JSON.parse(stdout).filled > 0, stdout);
    const once = await here.run(['demo', '--again', '--server', running.url]);
    assert.match(once.stdout, /^The demonstration is now at \S+ \(0 objects changed\)/);
    await stopped(running);
  });

  test('is told where another program answers, and where the server has another database', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const strange = await here.run(['demo', '--again', '--server', `http://127.0.0.1:${port}`]);
    assert.match(strange.stderr, /^Warning: the server at http:\S+ is not Bourse/);
    other.close();
    const elsewhere = await here.run(['demo', '--again', '--server', server.url]);
    assert.match(
      elsewhere.stderr,
      /^Warning: the server at \S+ does not show the demonstration: .*BOURSE_DATABASE_URL/,
    );
  });

  test('of a team that is no demonstration is not looked for', async () => {
    const fresh = bourseProcess();
    const { code, stderr } = await fresh.run(['demo', '--again']);
    assert.deepEqual([code, stderr], [1, 'Team 1 is not a demonstration; `bourse demo` makes it one\n']);
  });
});
