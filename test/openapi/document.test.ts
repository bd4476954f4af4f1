import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { entities } from '../../src/entities/registry.ts';
import { helpOf } from '../../src/fields/field.ts';
import { assemble } from '../../src/main.ts';
import { endpoints } from '../../src/management/endpoints.ts';
import { openApiDocument } from '../../src/management/openapi/document.ts';
import { runToEnd } from '../spawned-server.ts';
import { type ApiDocument, Checker, examplesOf, type Json, operationsOf } from './document.ts';

const root = dirname(dirname(import.meta.dirname));
const baseUrl = 'https://bourse.example';
const document = JSON.parse(
  JSON.stringify(openApiDocument(endpoints, { baseUrl, regions: [{ name: 'us-east', url: baseUrl }] })),
) as ApiDocument;
const operations = operationsOf(document);

/** Specification section 4, line by line. The path of the category list is not shown there; ours is the last. */
const specified = [
  'GET /api/auth/account',
  'POST /api/publisher/add',
  'POST /api/advertiser/add',
  'POST /api/ortb/vasttag/add',
  'POST /api/ortb/dspvasttag/add',
  'POST /api/xml/popfeed/add',
  'POST /api/domainlist/update',
  'POST /api/iplist/update',
  'POST /api/publisher/activate',
  'POST /api/publisher/deactivate',
  'POST /api/advertiser/activate',
  'POST /api/advertiser/deactivate',
  'POST /api/xml/popfeed/activate',
  'POST /api/ortb/dspvasttag/deactivate',
  'POST /api/xml/dsppopfeed/deactivate',
  'GET /api/ortb/rtbep/get',
  'GET /api/ortb/dspvasttag/get',
  'GET /api/applist/get',
  'GET /api/domainlist/get',
  'GET /api/info/countries',
  'GET /api/info/iabcategories',
  // 4.7: those that the entities of section 2 hand out.
  'GET /api/ortb/stats/publisher/general',
  'GET /api/ortb/stats/advertiser/general',
  'GET /api/ortb/stats/publisher/vast',
  'GET /api/ortb/stats/publisher/rtb',
  'GET /api/xml/stats/publisher/pop',
  'GET /api/xml/stats/publisher/pop/subid',
  'GET /api/xml/stats/advertiser/pop',
];
const isStatistics = ({ path }: { readonly path: string }) => path.includes('/stats/');

/** Every route of a real server, but for the reference page and the HEAD that comes with each GET. */
async function realRoutes(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-routes-'));
  const config = {
    databaseUrl: `sqlite:${join(folder, 'bourse.db')}`,
    regions: undefined,
    adminMail: undefined,
    adminPassword: undefined,
    apiRateLimit: 0,
    keepFinestDays: 31,
    keepHoursDays: 93,
    keepTrafficHoursDays: 31,
    keepTrafficDays: 93,
    keepAlertsDays: 93,
    analyticsUrl: undefined,
    analyticsSample: 1,
    analyticsKeptDays: 400,
    outboxFolder: './data/outbox',
    outboxMegabytes: 1,
    geoIpDatabase: undefined,
    allowPrivateDemand: false,
    crawlProxy: undefined,
    ratesUrl: 'http://rates.example/latest.json',
    ratesDays: 7,
    callCost: 0.1,
    explorePercent: 7,
    keepSamplesDays: 8,
    valkeyUrl: undefined,
    smtpUrl: undefined,
    mailFrom: undefined,
    trustedProxies: 0,
    region: undefined,
  };
  const { app, close } = await assemble(config, {
    logger: pino({ level: 'silent' }),
    baseUrl: () => baseUrl,
  });
  const routes: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.push(`${name} ${url}`);
  });
  await app.ready();
  await close();
  rmSync(folder, { recursive: true });
  return routes.filter((route) => !/^HEAD |^GET \/(docs.*)?$/.test(route));
}

async function lint(): Promise<{ totals: Json; problems: readonly Json[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-lint-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document, null, 1));
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const { output } = await runToEnd(process.execPath, [cli, 'lint', file, '--format=json'], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  });
  rmSync(folder, { recursive: true });
  return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
}

describe('the OpenAPI document', () => {
  test('holds every route of the server, and no other', async () => {
    // What edges and their home say to each other is no API (reference, "Edges").
    // The link in mails leads to a page for people.
    const isApi = (name: string) => !name.includes(' /api/edge/') && !name.endsWith(' /unsubscribe');
    const published = (await realRoutes()).filter(isApi);
    assert.deepEqual(operations.map(({ name }) => name).sort(), published.sort());
  });

  test('marks as extension what section 4 of the specification does not list, and nothing else', () => {
    const unmarked = operations.filter(({ operation }) => operation['x-extension'] === undefined);
    assert.deepEqual(unmarked.map(({ name }) => name).sort(), specified.toSorted());
    const marks = new Set(operations.map(({ operation }) => operation['x-extension']));
    assert.deepEqual(marks, new Set([undefined, true]));
  });

  test('names every operation once, and tells what it does', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { name, operation } of operations) {
      assert.match(operation.operationId, /^[a-z][A-Za-z]*$/, name);
      assert.ok(operation.summary && operation.description, name);
    }
  });

  test('asks a token of all but login, statistics and the service itself, and tells of its refusal', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    assert.ok(operations.filter(isStatistics).every((one) => open.includes(one)));
    const others = open.filter((one) => !isStatistics(one));
    assert.deepEqual(others.map(({ path }) => path).sort(), [
      '/api/auth/link',
      '/api/auth/login',
      '/api/auth/session',
      '/api/openapi.json',
      '/healthz',
      '/metrics',
      '/readyz',
    ]);
    for (const found of operations.filter((one) => !open.includes(one))) {
      assert.ok('401' in found.operation.responses && '500' in found.operation.responses, found.name);
      if (found.method === 'POST') assert.ok('406' in found.operation.responses, found.name);
    }
  });

  for (const entity of entities) {
    test(`shows every field of ${entity.title} with its help`, () => {
      const { schemas } = document.components;
      const helpIn = (name: string) => {
        const properties = (schemas[name]?.properties ?? {}) as Record<string, { description?: string }>;
        return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value.description]));
      };
      const fields = Object.entries(entity.fields);
      const help = (rows: typeof fields) =>
        Object.fromEntries(rows.map(([name, field]) => [name, helpOf(field)]));
      const sendable = fields.filter(([, { presence }]) => presence !== 'derived');
      const shown = fields.filter(([, { isWriteOnly }]) => !isWriteOnly);
      assert.deepEqual(helpIn(entity.key), help(shown));
      assert.deepEqual(helpIn(`${entity.key}InArray`), help(shown.filter(([, { inArray }]) => inArray)));
      assert.deepEqual(helpIn(`New${entity.key}`), help(sendable));
      assert.deepEqual(helpIn(`${entity.key}Update`), {
        Id: 'ID of the object to change',
        ...help(sendable),
      });
    });
  }

  test('has an example for every JSON body of every operation but itself, and each validates', () => {
    const checker = new Checker(document);
    const examples = examplesOf(document);
    const faults = examples.flatMap(({ place, value }) => {
      const text = checker.faults(value, ...place);
      return text === '' ? [] : [`${place.join(' ')}: ${text}`];
    });
    assert.deepEqual(faults, []);
    const requests = operations.filter(({ operation }) => operation.requestBody !== undefined);
    const answers = operations.filter(({ operation }) => !('$ref' in (operation.responses['200'] ?? {})));
    const shared = Object.keys(document.components.responses);
    const fetches = entities.length; // Two examples each: one object, and an array.
    // Two examples each: CSV and JSON.
    const isReport = ({ name }: (typeof operations)[number]) => name === 'POST /api/statistics/report';
    const reports = operations.filter((one) => isStatistics(one) || isReport(one)).length;
    const expected = requests.length + answers.length + shared.length + fetches + reports - 1;
    assert.equal(examples.length, expected);
  });

  test('every value of an example is one that its field accepts', () => {
    const checker = new Checker(document);
    for (const { key, fields } of entities) {
      for (const [name, { presence, example }] of Object.entries(fields)) {
        if (presence === 'derived') continue;
        const faults = checker.faults(example, 'components', 'schemas', `New${key}`, 'properties', name);
        assert.equal(faults, '', `${key}.${name}`);
      }
    }
  });

  test('has no fault and no warning for the linter', async () => {
    const { totals, problems } = await lint();
    assert.deepEqual(problems, []);
    assert.deepEqual({ ...totals }, { errors: 0, warnings: 0, ignored: 0 });
  });
});
