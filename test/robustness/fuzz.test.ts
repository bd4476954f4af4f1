import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Entity } from '../../src/entities/entity.ts';
import { entities } from '../../src/entities/registry.ts';
import { seeded } from '../support/seed.ts';
import { added, type Json, type Reply } from './api.ts';
import { assertErrorBody, faultsOf, pathsIn } from './error-shape.ts';
import { type LoggedServer, startLoggedServer } from './logged-server.ts';
import { type Existing, type NearlyValid, nearlyValid } from './nearly-valid.ts';

const casesPerEntity = 40;
let server: LoggedServer | undefined;
let existing: Existing = {};
let names = 0;

/** Entities with rules that no field tells alone, and what one needs beside its required fields. */
const ruled: Readonly<Record<string, Json>> = {
  Report: { Period: 'Last7Days' },
  Alert: { Measure: 'TimeoutRate' },
  VastTag: {},
  FloorRule: {},
  Deal: {},
};

/** One object of each entity, so that references have something to name. */
async function addOneOfEach({ api }: LoggedServer): Promise<Existing> {
  const ids: Record<string, number> = { User: 1 };
  for (const { key, wrapper, path, fields } of entities) {
    const required = Object.entries(fields).filter(([, { presence }]) => presence === 'required');
    const values = required.map(([name, { example, references }]) => [
      name,
      ids[references ?? ''] ?? example,
    ]);
    ids[key] = (await added(api, path, wrapper, { ...Object.fromEntries(values), ...ruled[key] })).Id;
  }
  return ids;
}

before(async () => {
  server = await startLoggedServer();
  existing = await addOneOfEach(server);
});
after(() => server?.close());
const api = () => server?.api ?? assert.fail();

/** A user name of its own for every body, where the entity wants one and the body has a right one. */
function withOwnName({ values }: NearlyValid): Json {
  if (values.Username !== 'example') return values;
  names += 1;
  return { ...values, Username: `fuzz${names}` };
}

/** A refusal has the error body, and its paths are in the body that was sent, or what is missing there. */
function assertRefused({ key, wrapper, fields }: Entity, reply: Reply, body: Json): void {
  assert.equal(reply.status, 406, reply.text.slice(0, 300));
  assertErrorBody(reply);
  const paths = new Set(pathsIn(body));
  for (const { Path, Code, Message } of faultsOf(reply)) {
    const isMissing = Code === 'required' && paths.has(Path.replace(/\.[^.]*$/, ''));
    // What is not sent of a question is still part of it.
    const isKept = key in ruled && Object.keys(fields).some((name) => Path === `${wrapper}.${name}`);
    assert.ok(paths.has(Path) || isMissing || isKept, `${Path} (${Message}) is not in the body`);
  }
}

/** What was taken is there, as it was answered. */
async function assertStored(entity: Entity, { status, body, text }: Reply): Promise<void> {
  assert.equal(status, 200, text.slice(0, 300));
  const posted = body[entity.wrapper] as Json;
  const { ListText: _, ...fetched } = (await api().get(`/api/${entity.path}/get?Id=${posted.Id}`)).body;
  assert.deepEqual(fetched, posted);
}

/** Whether a body must be taken: of entities with rules that no field tells alone nobody knows. */
const mustTake = ({ key }: Entity, { isValid }: NearlyValid) => isValid && !(key in ruled);

async function checkAdd(entity: Entity, made: NearlyValid): Promise<void> {
  const body = { [entity.wrapper]: withOwnName(made) };
  const reply = await api().post(`/api/${entity.path}/add`, body);
  if (mustTake(entity, made) || reply.status === 200) await assertStored(entity, reply);
  else assertRefused(entity, reply, body);
}

async function checkUpdate(entity: Entity, made: NearlyValid): Promise<void> {
  const body = { [entity.wrapper]: { Id: existing[entity.key], ...withOwnName(made) } };
  const before = (await api().get(`/api/${entity.path}/get?Id=${existing[entity.key]}`)).text;
  const reply = await api().post(`/api/${entity.path}/update`, body);
  if (mustTake(entity, made) || reply.status === 200) return assertStored(entity, reply);
  assertRefused(entity, reply, body);
  const now = (await api().get(`/api/${entity.path}/get?Id=${existing[entity.key]}`)).text;
  assert.equal(now, before, 'a refused update changes nothing');
}

describe('nearly valid bodies of every entity', () => {
  for (const entity of entities) {
    test(`${entity.key}: taken and stored, or refused with paths that exist`, async () => {
      const made = nearlyValid(entity, existing);
      await fc.assert(
        fc.asyncProperty(made, (each) => checkAdd(entity, each)),
        seeded(casesPerEntity),
      );
      await fc.assert(
        fc.asyncProperty(made, (each) => checkUpdate(entity, each)),
        seeded(casesPerEntity / 2),
      );
    });
  }

  test('nothing unexpected happened', () => {
    assert.doesNotMatch(server?.log() ?? '', /"level":50|unexpected error/);
  });
});
