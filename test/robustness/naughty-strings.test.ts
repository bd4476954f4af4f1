import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Entity } from '../../src/entities/entity.ts';
import { listTextOf } from '../../src/entities/list-text-of.ts';
import { entityOf } from '../../src/entities/registry.ts';
import { readListText } from '../../src/fields/list-text.ts';
import { textFaults } from '../../src/management/input/text-faults.ts';
import { type Check, compileCheck } from '../../src/management/input/validation.ts';
import { readInput } from '../../src/management/object-input.ts';
import { updateSchema } from '../../src/management/schemas.ts';
import { areAllDrawn, seed } from '../support/seed.ts';
import { added, type Json } from './api.ts';
import { assertErrorBody, faultsOf } from './error-shape.ts';
import { type LoggedServer, startLoggedServer } from './logged-server.ts';

const file = fileURLToPath(import.meta.resolve('big-list-of-naughty-strings/blns.json'));
const ownStrings = [
  '\u2028\u2029',
  '\ufeff',
  '\u202e',
  '\u0085',
  '\u007f',
  '\r',
  '\r\n',
  '\\u0000',
  '$&',
  '{Id}',
  '{BaseUrl}',
  "' or 1=1 --",
];
const naughty = [...new Set([...(JSON.parse(readFileSync(file, 'utf8')) as string[]), ...ownStrings])];

const oneOf = areAllDrawn ? 10 : 50;
/** Those that also go over the wire where all others are only taken in: others in each run. */
const sent = naughty.filter((_, index) => index % oneOf === seed % oneOf);

let server: LoggedServer | undefined;
before(async () => {
  server = await startLoggedServer();
});
after(() => server?.close());
const api = () => server?.api ?? assert.fail();

interface StringField {
  readonly name: string;
  /** No rule but a length: every string up to so many characters is taken. */
  readonly freeUpTo: number;
}

/** The fields of an entity that hold one string, from its table. */
function stringFields(entity: Entity): StringField[] {
  return Object.entries(entity.fields).flatMap(([name, { accepts, presence, place }]) => {
    if (presence === 'derived' || place.kind !== 'document' || !('type' in accepts)) return [];
    if (accepts.type !== 'string') return [];
    const hasRule = 'format' in accepts || 'pattern' in accepts;
    return [{ name, freeUpTo: hasRule ? 0 : Number('maxLength' in accepts ? accepts.maxLength : 0) }];
  });
}

/** The lines of a text that a list of keywords keeps. */
function keptLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))];
}

const post = (entity: Entity, operation: string, values: object) =>
  api().post(`/api/${entity.path}/${operation}`, { [entity.wrapper]: values });

/** Sends the string in every field; those that are refused must be named, and the rest then taken. */
async function sendEverywhere(entity: Entity, Id: number, text: string): Promise<void> {
  const fields = stringFields(entity);
  const about = `${entity.key} ${JSON.stringify(text)}`;
  const all = Object.fromEntries(fields.map(({ name }) => [name, text]));
  const first = await post(entity, 'update', { Id, ...all });
  const refused = new Set<string>();
  if (first.status !== 200) {
    assert.equal(first.status, 406, `${about}: ${first.text.slice(0, 300)}`);
    assertErrorBody(first, about);
    for (const { Path } of faultsOf(first)) refused.add(Path.slice(entity.wrapper.length + 1));
  }
  for (const { name, freeUpTo } of fields) {
    if (text !== '' && text.length <= freeUpTo)
      assert.ok(!refused.has(name), `${about}: ${name} takes any text`);
  }
  const taken = Object.fromEntries(Object.entries(all).filter(([name]) => !refused.has(name)));
  const { status, body } = await post(entity, 'update', { Id, ...taken });
  assert.equal(status, 200, `${about}: faults come all at once`);
  const posted = body[entity.wrapper] as Json;
  for (const name of Object.keys(taken)) assert.equal(posted[name], text, `${about}: ${name} as answered`);
  if (entity.key !== 'Publisher') return;
  const fetched = (await api().get(`/api/${entity.path}/get?Id=${Id}`)).body;
  for (const name of Object.keys(taken)) assert.equal(fetched[name], text, `${about}: ${name} as fetched`);
}

/** What an update makes of the string in every field: as it was sent, or a fault that names the field. */
async function takeEverywhere(entity: Entity, check: Check, text: string): Promise<void> {
  const fields = stringFields(entity);
  const values = Object.fromEntries(fields.map(({ name }) => [name, text]));
  const faults = textFaults(values, entity.wrapper);
  const intake = await readInput(entity, { sent: { Id: 1, ...values }, faults }, check, false);
  const refused = new Set(intake.faults.map(({ Path }) => Path.slice(entity.wrapper.length + 1)));
  for (const { name, freeUpTo } of fields) {
    const about = `${entity.key}.${name} ${JSON.stringify(text)}`;
    if (refused.has(name)) assert.ok(text === '' || text.length > freeUpTo, `${about} takes any text`);
    else assert.equal(intake.document[name], text, about);
  }
}

describe(`${naughty.length} naughty strings`, () => {
  const account = { Name: 'a', Mail: 'a@example.com', Country: 'US', Username: 'a' };
  const cases: readonly [key: string, values: object][] = [
    ['Publisher', { ...account, Username: 'b' }],
    ['Advertiser', account],
    ['VastTag', { PublisherId: 1 }],
    ['DspRtbEp', { AdvertiserId: 1 }],
    ['Campaign', { AdvertiserId: 1 }],
    ['Tag', { Name: 'a' }],
  ];
  for (const [key, values] of cases) {
    test(`in every text of a ${key} come back unchanged, or are refused by field`, async () => {
      const entity = entityOf(key);
      const { Id } = await added(api(), entity.path, entity.wrapper, values);
      const check = compileCheck(updateSchema(entity));
      for (const text of naughty) await takeEverywhere(entity, check, text);
      // An account has all that texts go through between the wire and the database.
      for (const text of key === 'Publisher' ? naughty : sent) await sendEverywhere(entity, Id, text);
    });
  }

  test('as values and names of CustomParams', async () => {
    const entity = entityOf('DspRtbEp');
    const { Id } = await added(api(), entity.path, entity.wrapper, { AdvertiserId: 1 });
    const check = compileCheck(updateSchema(entity));
    for (const text of naughty) {
      const CustomParams = { 'imp.tagid': text };
      assert.deepEqual(check({ Id, CustomParams }, entity.wrapper), [], text);
    }
    for (const text of sent) {
      const value = await post(entity, 'update', { Id, CustomParams: { 'imp.tagid': text } });
      assert.equal(value.status, 200, text);
      assert.deepEqual((value.body.DspRtbEp as Json).CustomParams, { 'imp.tagid': text });
      const CustomParams = JSON.parse(`{${JSON.stringify(text)}:"1"}`);
      const name = await post(entity, 'update', { Id, CustomParams });
      assert.ok([200, 406].includes(name.status), `${text}: ${name.text}`);
      if (name.status === 200) assert.deepEqual((name.body.DspRtbEp as Json).CustomParams, CustomParams);
      else assertErrorBody(name, text);
    }
  });

  test('as lines of lists: keywords take all, the others their own', async () => {
    for (const key of ['KeywordList', 'DomainList', 'AppList', 'IpList']) {
      const entity = entityOf(key);
      const { Id } = await added(api(), entity.path, entity.wrapper, { Name: 'a' });
      const { codec } = listTextOf(entity) ?? assert.fail(key);
      for (const text of naughty) {
        const { badLineCount, parts } = await readListText(text, codec, async () => undefined);
        if (key !== 'KeywordList' || text.length > 255) continue;
        assert.deepEqual([badLineCount, [...parts].join('')], [0, keptLines(text).join('\n')], text);
      }
      for (const text of sent) {
        const reply = await post(entity, 'update', { Id, ListText: text });
        assert.ok([200, 406].includes(reply.status), `${key} ${text}: ${reply.text}`);
        if (reply.status === 406) assertErrorBody(reply, text);
        if (key !== 'KeywordList' || text.length > 255) continue;
        const kept = keptLines(text);
        const { ListText, KeywordCount } = (await api().get(`/api/keywordlist/get?Id=${Id}`)).body;
        assert.deepEqual([ListText, KeywordCount], [kept.join('\n'), kept.length], JSON.stringify(text));
      }
    }
  });

  test('as names and passwords to log in with are refused, and too many at last', async () => {
    const statuses = new Set<number>();
    for (const text of naughty.slice(0, 40)) {
      const reply = await api().post('/api/auth/login', { Username: text, Password: text });
      assertErrorBody(reply, text);
      statuses.add(reply.status);
    }
    assert.deepEqual(
      [...statuses].filter((status) => ![401, 406, 429].includes(status)),
      [],
    );
  });

  test('caused nothing unexpected', () => {
    assert.doesNotMatch(server?.log() ?? '', /"level":50|unexpected error/);
  });
});
