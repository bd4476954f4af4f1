import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareConfig } from '../../src/management/config/prepare.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import type { Store, Transaction } from '../../src/store/interface.ts';
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
const account = (Name: string, Username: string) => ({
  Version: 1,
  Publisher: [{ Name, Mail: 'p@example.com', Country: 'DE', Username }],
});

interface Case {
  readonly what: string;
  /** What the team has at first. */
  readonly first: Values;
  /** What is to be applied. */
  readonly next: Values;
  /** What happens between its plan and its transaction. */
  readonly meanwhile: () => Promise<unknown>;
  /** What the transaction does, or why it refuses. */
  readonly done: readonly string[] | { readonly refused: RegExp };
  /** Whether the plan is made anew in the transaction. */
  readonly isAnew: boolean;
}

const cases: readonly Case[] = [
  {
    what: 'an object that was as the document says, and is no more',
    first: config({ Name: 'a', Color: '#111111' }),
    next: config({ Name: 'a', Color: '#111111' }),
    meanwhile: () => applied(team, config({ Name: 'a', Color: '#222222' })),
    done: ['update Tag "a"; Color "#222222" → "#111111"'],
    isAnew: true,
  },
  {
    what: 'a new object that somebody else has added',
    first: config(),
    next: config({ Name: 'b' }),
    meanwhile: () => applied(team, config({ Name: 'b' })),
    done: [],
    isAnew: true,
  },
  {
    what: 'a refusal that no longer holds',
    first: config(),
    next: config({ Name: 'c', Key: 'c~2' }),
    meanwhile: () => applied(team, config({ Name: 'c' })),
    done: ['add Tag "c~2"'],
    isAnew: true,
  },
  {
    what: 'nothing that another team does',
    first: config(),
    next: config({ Name: 'd' }),
    meanwhile: () => applied(stranger, config({ Name: 'd' })),
    done: ['add Tag "d"'],
    isAnew: false,
  },
  {
    what: 'a user name that another team has taken',
    first: config(),
    next: account('P', 'first-come'),
    meanwhile: () => applied(stranger, account('S', 'first-come')),
    done: { refused: /^Publisher\[P\]\.Username "first-come" is already used/ },
    isAnew: true,
  },
  {
    what: 'a user name that another team has taken before an account could change to it',
    first: account('Q', 'own'),
    next: account('Q', 'wanted'),
    meanwhile: () => applied(stranger, account('T', 'wanted')),
    done: { refused: /^Publisher\[Q\]\.Username "wanted" is already used/ },
    isAnew: true,
  },
];

/** The transaction, and whether the team's objects were read in it. */
function watched(transaction: Transaction) {
  const seen = { isRead: false };
  const page: Transaction['page'] = (...query) => {
    seen.isRead = true;
    return transaction.page(...query);
  };
  return { seen, transaction: { ...transaction, page } };
}

for (const { what, first, next, meanwhile, done, isAnew } of cases) {
  test(`applying takes in ${what}`, async () => {
    await applied(team, first);
    let isRead: boolean | undefined;
    const applying = withStore(async (store) => {
      const prepared = await prepareConfig(store, actor, next, {
        deactivateMissing: false,
        facts: { nowMs: 0 },
      });
      const apply = await prepared.beginApply();
      await meanwhile();
      return store.write(actor, async (given) => {
        const { seen, transaction } = watched(given);
        return apply(transaction).finally(() => {
          isRead = seen.isRead;
        });
      });
    });
    if ('refused' in done) await assert.rejects(applying, { code: 'invalid', message: done.refused });
    else {
      const entries = (await applying).entries.filter(({ Operation }) => Operation !== 'unmanaged');
      assert.deepEqual(inWords(entries), done);
    }
    assert.equal(isRead, isAnew);
  });
}

test('a refusal that still holds is given in the transaction, and nothing is written', async () => {
  const before = await revisionOf(server);
  await withStore(async (store) => {
    const prepared = await prepareConfig(store, actor, config({ Name: 'e', Key: 'e~2' }), {
      deactivateMissing: false,
      facts: { nowMs: 0 },
    });
    const apply = await prepared.beginApply();
    await assert.rejects(store.write(actor, apply), { code: 'invalid' });
  });
  assert.equal(await revisionOf(server), before);
});
