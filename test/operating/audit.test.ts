import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { runToEnd } from '../spawned-server.ts';

const root = dirname(dirname(import.meta.dirname));
const script = join(root, 'scripts', 'audit.ts');

const fault = (severity: string) => [
  {
    id: 1,
    url: 'https://example.com/1',
    title: 'A fault',
    severity,
    vulnerable_versions: '*',
    cwe: [],
    cvss: {},
  },
];
type Faults = Readonly<Record<string, ReturnType<typeof fault>>>;

/** The packages that npm asks after, with their versions. */
async function askedAfter(request: IncomingMessage): Promise<Readonly<Record<string, readonly string[]>>> {
  const bytes = await buffer(request);
  const isZipped = request.headers['content-encoding'] === 'gzip';
  return JSON.parse(String(isZipped ? gunzipSync(bytes) : bytes));
}

/** A registry that knows these faults, and of every package the one version that is installed. */
async function startRegistry(status: number, faults: Faults) {
  const known: Record<string, readonly string[]> = {};
  const answer = async (request: IncomingMessage) => {
    if (!request.url?.includes('/security/')) {
      const name = decodeURIComponent(request.url?.slice(1) ?? '');
      const versions = (known[name] ?? []).map((version) => [version, { name, version }]);
      return { name, versions: Object.fromEntries(versions) };
    }
    Object.assign(known, await askedAfter(request));
    return Object.fromEntries(Object.entries(faults).filter(([name]) => name in known));
  };
  const registry = createServer(async (request, response) => {
    const body = JSON.stringify(await answer(request));
    const isQuestion = request.url?.includes('/security/') === true;
    response.writeHead(isQuestion ? status : 200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => registry.close() };
}

/** Runs the audit with a registry, and with no memory of an earlier one. */
function audit(registry: string, advisories?: string, ...args: readonly string[]) {
  const cache = mkdtempSync(join(tmpdir(), 'bourse-audit-'));
  after(() => rmSync(cache, { recursive: true, force: true }));
  const kept = advisories === undefined ? {} : { BOURSE_ADVISORIES: advisories };
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: cache, ...kept };
  return runToEnd(process.execPath, [script, ...args], { cwd: root, env });
}

/** What a registry answers to the question after known faults, and how the audit ends then. */
const cases: readonly (readonly [
  what: string,
  status: number,
  faults: Faults,
  code: number,
  says: RegExp,
])[] = [
  ['no fault', 200, {}, 0, /^Dependencies audited: 0 critical and 0 high vulnerabilities\n$/],
  ['a moderate one', 200, { fastify: fault('moderate') }, 0, /0 critical and 0 high/],
  ['a high one', 200, { fastify: fault('high') }, 1, /0 critical and [1-9]\d* high/],
  ['a critical one', 200, { fastify: fault('critical') }, 1, /[1-9]\d* critical/],
  ['one in a tool of development', 200, { knip: fault('critical') }, 0, /0 critical and 0 high/],
  [
    'no such question',
    405,
    {},
    0,
    /^The registry does not answer \(.*405.*\n.*NOT JUDGED: \d+ of \d+ shipped packages: .*fastify@/,
  ],
];

describe('the audit of dependencies, where the registry answers', () => {
  for (const [what, status, faults, code, says] of cases) {
    test(what, async () => {
      const registry = await startRegistry(status, faults);
      const ending = await audit(registry.url);
      registry.close();
      assert.match(ending.output, says);
      assert.equal(ending.code, code, ending.output);
    });
  }

  test('no registry at all', async () => {
    const { code, output } = await audit('http://127.0.0.1:1/');
    assert.equal(code, 0, output);
    assert.match(output, /^The registry does not answer \(/);
    assert.match(output, /NOT JUDGED: /);
  });

  test('what a registry said is kept, and judges where none answers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-advisories-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'advisories.json');
    const nowhere = 'http://127.0.0.1:1/';
    writeFileSync(file, JSON.stringify({ asOf: '', packages: {} }));
    const failed = await audit(nowhere, file, '--keep');
    assert.equal(failed.code, 1, failed.output);
    const cases = [
      [{}, 0, /^Dependencies audited as of \d{4}-\d\d-\d\d: 0 with/m],
      [{ fastify: fault('moderate') }, 0, /: 0 with/],
      [{ fastify: fault('high') }, 1, /Critical or high vulnerabilities: .*fastify@/],
    ] as const;
    for (const [faults, code, says] of cases) {
      const registry = await startRegistry(200, faults);
      await audit(registry.url, file, '--keep');
      registry.close();
      const later = await audit(nowhere, file);
      assert.match(later.output, says);
      assert.equal(later.output.includes('NOT JUDGED'), false);
      assert.equal(later.code, code, later.output);
    }
    const { asOf, packages } = JSON.parse(readFileSync(file, 'utf8'));
    const [first = ''] = Object.keys(packages);
    const { [first]: _, ...others } = packages;
    writeFileSync(file, JSON.stringify({ asOf, packages: others }));
    assert.match((await audit(nowhere, file)).output, new RegExp(`NOT JUDGED: 1 of \\d+ .*${first}`));
  });
});
