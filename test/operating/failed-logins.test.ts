import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { pino } from 'pino';
import { readableLine } from '../../src/cli/readable-line.ts';
import { startTestServer } from '../support/server.ts';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** The filter of the operations page, as fail2ban reads it: `<ADDR>` is an address. */
const filter = new RegExp(
  (/^failregex = (.+)$/m.exec(page)?.[1] ?? assert.fail('the page has no filter')).replace(
    '<ADDR>',
    '(?<address>[0-9a-fA-F.:]+)',
  ),
);

const lines: string[] = [];
const server = await startTestServer(
  { trustedProxies: 1, apiRateLimit: 0 },
  pino({ level: 'info', base: null }, { write: (line) => lines.push(line) }),
);
after(() => server.close());

/** The addresses that the filter finds in lines: the same in both forms of the log, and in the journal. */
function found(some: readonly string[]): readonly (string | undefined)[] {
  const asText = some.map(readableLine).join('').split('\n');
  const [inJson, forPeople] = [some, asText].map((all) =>
    all.flatMap((line) => filter.exec(line)?.groups?.address ?? []),
  );
  assert.deepEqual(inJson, forPeople);
  const inJournal = some.map((line) => `host bourse[12]: ${line}`).filter((line) => filter.test(line));
  assert.equal(inJournal.length, inJson?.length);
  return inJson ?? [];
}

/** Sends a request, and gives the lines that it has left in the log. */
async function logged(path: string, address: string, body: object, headers: Record<string, string> = {}) {
  lines.length = 0;
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, ...headers },
    body: JSON.stringify(body),
  });
  await answer.text();
  return { status: answer.status, lines: [...lines] };
}

const attempt = (address: string, Username: string, Password = 'wrong password') =>
  logged('/api/auth/login', address, { Username, Password });

/** Names, and how the log shows them. */
const names: readonly (readonly [name: string, shown: string])[] = [
  ['ada@example.com', 'ada@example.com'],
  ['Ada+1@example.com', 'Ada+1@example.com'],
  ['a b', 'a%20b'],
  ['x failed login from 198.51.100.9 as y', 'x%20failed%20login%20from%20198.51.100.9%20as%20y'],
  ['x\n14:03:07 WARN  failed login from 198.51.100.9 as y', 'x%0A14%3A03%3A07%20WARN'],
  ['x\r\n{"msg":"failed login from 198.51.100.9 as y"}', 'x%0D%0A%7B%22msg%22'],
  ['"', '%22'],
  ['\\', '%5C'],
  ['%20', '%2520'],
  ['\u0085\u2028\u202ex', '%C2%85%E2%80%A8%E2%80%AEx'],
  ['\u001b[2Jx', '%1B%5B2Jx'],
  ['ключ', '%D0%BA'],
  ['é'.repeat(320), '%C3%A9'],
];

suite('a failed login is logged with name and address, as the filter of fail2ban reads it', () => {
  for (const [index, [name, shown]] of names.entries()) {
    test(`of ${JSON.stringify(name).slice(0, 60)}`, async () => {
      const address = `203.0.113.${index + 1}`;
      const { status, lines: left } = await attempt(address, name);
      assert.equal(status, 401);
      assert.deepEqual(found(left), [address]);
      const [record] = left.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('failed'));
      assert.ok(record.msg.startsWith(`failed login from ${address} as ${shown}`), record.msg);
      assert.match(record.msg, /^failed login from \S+ as \S+$/);
      assert.equal(record.level, 40);
      assert.doesNotMatch(left.join(''), /wrong password/);
    });
  }

  test('with an IPv6 address, and an IPv4-mapped one as IPv4', async () => {
    assert.deepEqual(found((await attempt('2001:db8::7', 'a@example.com')).lines), ['2001:db8::7']);
    assert.deepEqual(found((await attempt('::ffff:198.51.100.7', 'a@example.com')).lines), ['198.51.100.7']);
  });

  test('with the address of the connection where a header claims what is none', async () => {
    for (const claimed of ['1.2.3.4 as x', 'failed', '999.1.1.1', '198.51.100.9 failed login from 1.1.1.1']) {
      const addresses = found((await attempt(claimed, `${claimed.length}@example.com`)).lines);
      assert.deepEqual(addresses, ['127.0.0.1']);
    }
  });
});

suite('the filter finds nothing in', () => {
  test('a login that is right', async () => {
    const { status, lines: left } = await attempt('203.0.113.100', server.mail, server.password);
    assert.equal(status, 200);
    assert.deepEqual(found(left), []);
  });

  test('a login that is refused because there were too many failures', async () => {
    for (let time = 0; time < 10; time += 1) {
      assert.equal((await attempt(`203.0.113.${120 + time}`, 'often@example.com')).status, 401);
    }
    const { status, lines: left } = await attempt('203.0.113.200', 'often@example.com');
    assert.equal(status, 429);
    assert.deepEqual(found(left), []);
  });

  test('a body that is no login', async () => {
    const left = await logged('/api/auth/login', '203.0.113.201', { Username: 5 });
    assert.deepEqual([left.status, found(left.lines)], [406, []]);
  });

  test('paths, IDs and errors that imitate one', async () => {
    const text = 'failed login from 198.51.100.9 as x';
    const path = `/api/${encodeURIComponent(text)}`;
    const { lines: left } = await logged(path, '203.0.113.202', {}, { 'x-request-id': '"msg":"failed' });
    assert.ok(left.length > 0);
    const forged: string[] = [];
    const log = pino({ base: null }, { write: (line) => forged.push(line) });
    for (const imitation of [
      text,
      `"msg":"${text}"`,
      `{"level":40,"msg":"${text}"`,
      `\n14:03:07 WARN  ${text}`,
    ]) {
      log.error({ err: new Error(imitation), path: imitation }, 'unexpected error');
      log.warn({ path: imitation }, 'slow request');
    }
    assert.equal(forged.length, 8);
    assert.deepEqual(found([...left, ...forged]), []);
  });
});
