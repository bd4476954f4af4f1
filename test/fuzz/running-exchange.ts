import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { entities } from '../../src/entities/registry.ts';
import { createIdentity, type Identity } from '../../src/identity/identity.ts';
import { startBourse } from '../../src/main.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type ApiDocument, Checker, type Found, operationsOf } from '../openapi/document.ts';
import { type Caller, callerOf, jsonOf } from '../postgres/caller.ts';
import { unhurried } from '../support/unhurried.ts';

/** One team of the exchange that is tested, and who speaks for it. */
export interface TeamAccess {
  readonly teamId: number;
  readonly mail: string;
  readonly caller: Caller;
  readonly token: string;
}

/** An exchange with two teams: one whose requests are made up, and another that must notice nothing. */
export interface RunningExchange {
  readonly url: string;
  readonly document: ApiDocument;
  readonly operations: readonly Found[];
  readonly checker: Checker;
  /** Of the same database, past the server. */
  readonly store: Store;
  readonly identity: Identity;
  readonly own: TeamAccess;
  readonly other: TeamAccess;
  /** Users of the own team: the administrator, a manager and an analyst. */
  readonly users: readonly { readonly id: number; readonly token: string }[];
  /** Lines of the server's log that tell of something unexpected. */
  readonly faults: () => readonly string[];
  close(): Promise<void>;
}

export const password = 'correct horse battery';

function keptFaults() {
  const faults: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      faults.push(String(chunk));
      done();
    },
  });
  return { logger: pino({ level: 'error', base: null }, stream), faults: () => faults };
}

async function addUser(identity: Identity, url: string, teamId: number, role: number) {
  const mail = `user-${teamId}-${role}@example.com`;
  const id = await identity.addUser({ teamId, mail, password, firstName: `Role ${role}`, role });
  const { accessToken: token } = await identity.issueToken(mail);
  return { id, token, access: { teamId, mail, token, caller: callerOf(url, token) } };
}

/** Adds one object of each entity, and connects each with all of the others that it can be connected with. */
export async function addOneOfEach(
  { teamId, caller }: TeamAccess,
  userId: number,
): Promise<Map<string, number>> {
  const ids = new Map([['User', userId]]);
  for (const { key, wrapper, path, fields } of entities) {
    const rows = Object.entries(fields).flatMap(([name, { presence, example, references, place }]) => {
      if (name === 'Username') return [[name, `fixed-${teamId}-${ids.size}`]];
      // A question is about some time, in one of two ways; an alert is about a figure, or how objects are.
      if (place.kind === 'listText' || name === 'Period' || name === 'Measure') return [[name, example]];
      return presence === 'required' ? [[name, ids.get(references ?? '') ?? example]] : [];
    });
    const reply = await caller.post(`/api/${path}/add`, { [wrapper]: Object.fromEntries(rows) });
    ids.set(key, (jsonOf(reply) as Record<string, { Id: number }>)[wrapper]?.Id ?? 0);
  }
  for (const { key, wrapper, path, fields } of entities) {
    const rows = Object.entries(fields).flatMap(([name, { place }]) =>
      place.kind === 'connection' ? [[name, [ids.get(place.to)]]] : [],
    );
    const values = { Id: ids.get(key), ...Object.fromEntries(rows) };
    jsonOf(await caller.post(`/api/${path}/update`, { [wrapper]: values }));
  }
  return ids;
}

async function documentOf(url: string): Promise<ApiDocument> {
  return (await (await fetch(`${url}/api/openapi.json`)).json()) as ApiDocument;
}

/** Starts an exchange on a new, empty database: that of the URL, else an SQLite file. */
export async function startExchange(given?: string): Promise<RunningExchange> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-fuzz-'));
  const databaseUrl = given ?? `sqlite:${join(folder, 'bourse.db')}`;
  const { logger, faults } = keptFaults();
  const [adminMail, adminPassword] = ['ada@example.com', password];
  const { config } = readConfig({});
  const bourse = await startBourse(
    { ...config, port: 0, databaseUrl, adminMail, adminPassword, baseUrl: 'https://exchange.example' },
    { logger, overloadDetector: unhurried },
  );
  const { url } = bourse;
  const store = await openStore({ url: databaseUrl, now: Date.now });
  const identity = createIdentity({ store, now: Date.now });
  const document = await documentOf(url);
  const otherTeam = await identity.addTeam({ name: 'Other' });
  const administrator = await addUser(identity, url, 1, 0);
  const users = [administrator, await addUser(identity, url, 1, 1), await addUser(identity, url, 1, 2)];
  const other = await addUser(identity, url, otherTeam, 0);
  return {
    url,
    document,
    operations: operationsOf(document),
    checker: new Checker(document),
    store,
    identity,
    own: administrator.access,
    other: other.access,
    users,
    faults,
    close: async () => {
      await store.close();
      await bourse.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
