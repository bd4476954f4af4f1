import assert from 'node:assert/strict';
import type { PlanEntry } from '../../src/management/config/plan-entry.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import type { TestServer } from '../support/server.ts';
import type { Api, Reply, Values } from './api.ts';

/** A document as a client writes it. */
export type Config = Values;

export async function exported(api: Api): Promise<Config> {
  const reply = await api.get('/api/config/export');
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

export function send(api: Api, step: string, Config: unknown): Promise<Reply> {
  return api.post(`/api/config/${step}`, { Config });
}

function planIn(reply: Reply): readonly PlanEntry[] {
  assert.equal(reply.status, 200, reply.text);
  const { Warnings, ...rest } = reply.body;
  assert.deepEqual(Object.keys(rest), ['Status', 'Plan']);
  assert.ok(Warnings === undefined || (Warnings as readonly unknown[]).length > 0);
  return reply.body.Plan as readonly PlanEntry[];
}

/** What a document would change; must succeed. */
export async function planned(api: Api, config: unknown, query = ''): Promise<readonly PlanEntry[]> {
  return planIn(await send(api, `plan${query}`, config));
}

/** What a document has changed; must succeed. */
export async function applied(api: Api, config: unknown, query = ''): Promise<readonly PlanEntry[]> {
  return planIn(await send(api, `apply${query}`, config));
}

/** Entries in a line each: `update Tag "Trial": Color "a" → "b"`. */
export function inWords(entries: readonly PlanEntry[]): string[] {
  return entries.map(({ Operation, Entity, Key, Changes }) => {
    const changes = Changes.map(
      ({ Field, Old, New }) => `${Field} ${JSON.stringify(Old)} → ${JSON.stringify(New)}`,
    );
    return [`${Operation} ${Entity} ${JSON.stringify(Key)}`, ...changes].join('; ');
  });
}

/** The last revision of a server's database. */
export async function revisionOf({ databaseUrl }: TestServer): Promise<number> {
  const store = await openConfiguredStore(databaseUrl);
  return store.revision().finally(() => store.close());
}

/** Owners for what a test adds. */
export const owners = {
  Publisher: [{ Name: 'P', Mail: 'p@example.com', Country: 'DE', Username: 'cfg-p' }],
  Advertiser: [{ Name: 'A', Mail: 'a@example.com', Country: 'DE', Username: 'cfg-a' }],
};
export const tag = (Name: string, more: Values = {}) => ({ Name, Publisher: 'P', ...more });
export const dsp = (Name: string, more: Values = {}) => ({ Name, Advertiser: 'A', ...more });
export const document = (more: Values) => ({ Version: 1, ...owners, ...more });
