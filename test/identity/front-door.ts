import { after } from 'node:test';
import { createIdentity, type Identity } from '../../src/identity/identity.ts';
import type { Store } from '../../src/store/interface.ts';
import { sqlite } from '../store/sqlite-engine.ts';

/** An identity on a real database, under a clock that only the test moves. */
export interface FrontDoor {
  readonly identity: Identity;
  readonly store: Store;
  /** Moves the clock on. */
  pass(ms: number): void;
  nowMs(): number;
}

export const password = 'correct horse battery';

/** An empty installation, which goes when the test file ends. */
export async function openFrontDoor(): Promise<FrontDoor> {
  let nowMs = 1_800_000_000_000;
  const now = () => nowMs;
  const database = await sqlite.fresh();
  const store = await database.open(now);
  after(async () => {
    await store.close();
    await database.remove();
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { identity: createIdentity({ store, now }), store, pass, nowMs: now };
}

let users = 0;

/** Adds a user of that role to a team, and answers the mail address and a session's `Authorization` header. */
export async function addUser({ identity }: FrontDoor, role: number, teamId: number) {
  users += 1;
  const mail = `user-${users}@example.com`;
  const id = await identity.addUser({ teamId, mail, password, role });
  const { accessToken } = await identity.issueToken(mail);
  return { id, mail, header: `Bearer ${accessToken}` };
}
