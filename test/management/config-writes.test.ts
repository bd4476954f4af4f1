import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConfiguredStore } from '../../src/cli/configured-store.ts';
import { startApi, type Values } from './api.ts';
import { applied, document, dsp, owners, revisionOf, tag } from './config-calls.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const first = await addUser(server, { role: 0 });
const second = await addUser(server, { role: 1, teamId: first.teamId });

/** The log after a revision: operation, entity, what an update changed, and of a new list whether it has a text. */
async function writtenAfter(afterRevision: number): Promise<readonly string[]> {
  const store = await openConfiguredStore(server.databaseUrl);
  const changes = await store.changes(first.teamId, { afterRevision }, 100).finally(() => store.close());
  return changes.map(({ operation, entity, after }) => {
    const names = Object.keys(after).filter((name) => operation === 'update' || name === 'ListText');
    return [operation, entity, ...names].join(' ');
  });
}

const [publisher] = owners.Publisher;
const moved = { ...publisher, City: 'Kiel' };
const list = { Name: 'l', ListText: 'a.example\nb.example' };
const base = {
  Tag: [{ Name: 'x' }],
  DomainList: [list, { Name: 'empty' }],
  VastTag: [tag('t', { Tags: ['x'], DomainsBrandsList: ['l'], DspVastTags: ['d'] })],
  DspVastTag: [dsp('d')],
};

/** Documents that are applied one after the other, the first by who is to manage the accounts, with all that each writes. */
const steps: readonly (readonly [what: string, more: Values, written: readonly string[]])[] = [
  [
    'each new object once, with what it names and is there',
    base,
    [
      ...['add Publisher', 'add Advertiser', 'add DomainList ListText', 'add DomainList', 'add Tag'],
      ...['add VastTag', 'connect DomainList', 'add DspVastTag', 'connect VastTag'],
    ],
  ],
  ['nothing of what is there', base, []],
  [
    'a value of a list, and not its text',
    { DomainList: [{ ...list, Global: 1 }] },
    ['update DomainList Global'],
  ],
  [
    'a text, and how many lines it has',
    { DomainList: [{ ...list, Global: 1, ListText: 'c.example' }] },
    ['update DomainList DomainCount ListText'],
  ],
  [
    'a value of an account, and not its manager, whom the document leaves out',
    { Publisher: [moved] },
    ['update Publisher City'],
  ],
  [
    'a status, and nothing beside it',
    { Publisher: [{ ...moved, Status: 'Inactive' }] },
    ['deactivate Publisher'],
  ],
  [
    'a new object that is inactive',
    { Publisher: [moved], Tag: [{ Name: 'y', Status: 'Inactive' }] },
    ['add Tag', 'activate Publisher', 'deactivate Tag'],
  ],
];

for (const [index, [what, more, written]] of steps.entries()) {
  test(`apply writes ${what}`, async () => {
    const before = await revisionOf(server);
    const team = api.as(index === 0 ? first.token : second.token);
    await applied(team, document(more));
    assert.deepEqual(await writtenAfter(before), written);
    const [account] = await team.all('Publisher');
    assert.equal(account?.AccManagerId, first.id);
  });
}
