import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../src/management/config/prepare.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import type { Store } from '../../src/store/interface.ts';
import { startApi, type Values } from './api.ts';
import { applied, inWords, revisionOf } from './config-calls.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const user = await addUser(server, { role: 0 });
const actor = { teamId: user.teamId, userId: user.id };
const team = api.as(user.token);
const stranger = api.as((await addUser(server, { role: 0 })).token);

/** Opens the server's database as another process would, for as long as `use` takes. */
async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openConfiguredStore(server.databaseUrl);
  return use(store).finally(() => store.close());
}

const config = (...Tag: readonly Values[]) => ({ Version: 1, Tag });

interface Case {
  readonly what: string;
  /** What the team has at first. */
  readonly first: Values;
  /** What is planned, then what is done meanwhile, then what the planned is found to do. */
  readonly next: Values;
  readonly meanwhile: () => Promise<unknown>;
  readonly done: readonly string[];
}

const cases: readonly Case[] = [
  {
    what: 'an object that was as the document says, and is no more',
    first: config({ Name: 'a', Color: '#111111' }),
    next: config({ Name: 'a', Color: '#111111' }),
    meanwhile: () => applied(team, config({ Name: 'a', Color: '#222222' })),
    done: ['update Tag "a"; Color "#222222" → "#111111"'],
  },
  {
    what: 'a new object that somebody else has added',
    first: config(),
    next: config({ Name: 'b' }),
    meanwhile: () => applied(team, config({ Name: 'b' })),
    done: [],
  },
  {
    what: 'a refusal that no longer holds',
    first: config(),
    next: config({ Name: 'c', Key: 'c~2' }),
    meanwhile: () => applied(team, config({ Name: 'c' })),
    done: ['add Tag "c~2"'],
  },
  {
    what: 'nothing that another team does',
    first: config(),
    next: config({ Name: 'd' }),
    meanwhile: () => applied(stranger, config({ Name: 'd' })),
    done: ['add Tag "d"'],
  },
];

for (const { what, first, next, meanwhile, done } of cases) {
  test(`applying takes in ${what}`, async () => {
    await applied(team, first);
    const entries = await withStore(async (store) => {
      const prepared = await prepare(store, actor, next, { deactivateMissing: false });
      const apply = await prepared.applying();
      await meanwhile();
      return store.write(actor, apply);
    });
    assert.deepEqual(inWords(entries.filter(({ Operation }) => Operation !== 'unmanaged')), done);
  });
}

test('a refusal that still holds is given in the transaction, and nothing is written', async () => {
  const before = await revisionOf(server);
  await withStore(async (store) => {
    const prepared = await prepare(store, actor, config({ Name: 'e', Key: 'e~2' }), {
      deactivateMissing: false,
    });
    const apply = await prepared.applying();
    await assert.rejects(store.write(actor, apply), { code: 'invalid' });
  });
  assert.equal(await revisionOf(server), before);
});
