import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { startApi, type Values } from './api.ts';
import { applied, document, dsp, inWords, owners, planned, revisionOf, tag } from './config-calls.ts';
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

/**
 * Documents that are applied one after the other, the first by who is to manage the accounts, with all that each
 * writes.
 */
const steps: readonly (readonly [what: string, more: Values, written: readonly string[]])[] = [
  [
    'each new object once, with what it names and is there',
    base,
    [
      'add Publisher',
      'add Advertiser',
      'add DomainList ListText',
      'add DomainList',
      'add Tag',
      'add VastTag',
      'connect DomainList',
      'add DspVastTag',
      'connect VastTag',
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
  [
    'members that are left out as empty, but keeps connections whose other side the document does not name',
    { Publisher: [moved], VastTag: [tag('t')] },
    ['update VastTag Tags DomainsBrandsList', 'connect DomainList'],
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

/** Texts that a list is given one after the other, and what a plan tells of each. */
const texts: readonly (readonly [text: string, told: string])[] = [
  ['', '"1 line" → "0 lines (0 added, 1 removed)"'],
  ['b.example\na.example', '"0 lines" → "2 lines (2 added, 0 removed)"'],
  ['a.example\nb.example', '"2 lines" → "2 lines (in another order)"'],
  ['c.example\nb.example\nd.example', '"2 lines" → "3 lines (2 added, 1 removed)"'],
  ['d.example', '"3 lines" → "1 line (0 added, 2 removed)"'],
];
for (const [ListText, told] of texts) {
  test(`a plan tells of a text ${told}`, async () => {
    const next = { Version: 1, DomainList: [{ ...list, Global: 1, ListText }] };
    const [update] = inWords(await planned(api.as(first.token), next));
    assert.equal(update, `update DomainList "l"; ListText ${told}`);
    await applied(api.as(first.token), next);
  });
}
