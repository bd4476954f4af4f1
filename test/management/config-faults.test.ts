import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { startApi, type Values } from './api.ts';
import { document, dsp, exported, owners, revisionOf, send, tag } from './config-calls.ts';
import { addDemoExchange } from './demo-exchange.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
await addDemoExchange(api);

suite('a document with faults is refused whole, and every fault is told', () => {
  const cases: readonly (readonly [
    what: string,
    config: unknown,
    faults: Readonly<Record<string, RegExp>>,
  ])[] = [
    ['no version', { Tag: [] }, { Version: /is required/ }],
    ['another version', { Version: 2 }, { Version: /must be 1/ }],
    ['an unknown section', { Version: 1, Vasttag: [] }, { Vasttag: /did you mean `VastTag`/ }],
    ['a section that is no array', { Version: 1, Tag: {} }, { Tag: /must be an array, not an object/ }],
    [
      'objects that are none',
      { Version: 1, Tag: ['Premium', null, []] },
      { 'Tag[0]': /must be an object/, 'Tag[1]': /must be an object/, 'Tag[2]': /must be an object/ },
    ],
    [
      'an unknown field',
      document({ Tag: [{ Name: 'x', Colour: 'red' }] }),
      { 'Tag[x].Colour': /did you mean `Color`/ },
    ],
    ['an ID', document({ VastTag: [tag('t', { Id: 7 })] }), { 'VastTag[t].Id': /not a known field/ }],
    [
      'a wrong type',
      document({ VastTag: [tag('t', { Bidfloor: '1' })] }),
      { 'VastTag[t].Bidfloor': /must be a number, not a string/ },
    ],
    [
      'a key that is no text, and gets no second fault for naming nothing',
      document({ VastTag: [tag('t', { Tags: [5] })] }),
      { 'VastTag[t].Tags[0]': /must be a string/ },
    ],
    [
      'a fault deep in a value',
      document({ VastTag: [tag('t', { Countries: [{ CC: 'DE' }, { CC: 'Germany' }] })] }),
      { 'VastTag[t].Countries[1].CC': /is not a country code/ },
    ],
    [
      'a status that is none',
      document({ Tag: [{ Name: 'x', Status: 1 }] }),
      { 'Tag[x].Status': /must be a string/ },
    ],
    [
      'a required field that is missing',
      document({ VastTag: [{ Name: 't' }] }),
      { 'VastTag[t].Publisher': /is required/ },
    ],
    ['no name', document({ Tag: [{ Color: 'red' }] }), { 'Tag[0].Name': /is required/ }],
    [
      'neither name nor key',
      document({ VastTag: [{ Publisher: 'P' }] }),
      { 'VastTag[0].Key': /must be one of .*"~1", "~2"/ },
    ],
    [
      'a key of another name',
      document({ Tag: [{ Key: 'y', Name: 'x' }] }),
      { 'Tag[0].Key': /must be one of .*"x", "x~2"/ },
    ],
    ['a name like a key', document({ Tag: [{ Name: 'x~2' }] }), { 'Tag[0].Key': /must be one of .*"x~2~1"/ }],
    [
      'a name like a key, and what is wrong beside it',
      document({ Tag: [{ Name: 'x~2', Color: 5 }] }),
      { 'Tag[0].Color': /must be a string/, 'Tag[0].Key': /must be one of .*"x~2~1"/ },
    ],
    [
      'a key that is no text',
      document({ Tag: [{ Key: 5, Name: 'x' }] }),
      { 'Tag[0].Key': /must be a string, not an integer$/ },
    ],
    [
      'a key twice',
      document({ Tag: [{ Name: 'x' }, { Name: 'x' }] }),
      { 'Tag[x]': /appears twice in the document; give the second one the Key "x~2"/ },
    ],
    [
      'a key that would not come about',
      document({ Tag: [{ Key: 'x~3', Name: 'x' }] }),
      { 'Tag[x~3].Key': /would get the key "x"/ },
    ],
    [
      'an unknown owner',
      document({ VastTag: [{ Name: 't', Publisher: 'Q' }] }),
      { 'VastTag[t].Publisher': /names Publisher "Q", which is neither in the document nor in the team/ },
    ],
    [
      'an unknown name',
      document({ Tag: [{ Name: 'Premium' }], VastTag: [tag('t', { Tags: ['Premium', 'Premum'] })] }),
      { 'VastTag[t].Tags[1]': /names Tag "Premum".*did you mean `Premium`/ },
    ],
    [
      'sides that contradict each other',
      document({
        VastTag: [tag('t1', { DspVastTags: ['d'] }), tag('t2', { DspVastTags: ['d'] })],
        DspVastTag: [dsp('d', { VastTags: ['t1'] })],
      }),
      { 'DspVastTag[d].VastTags': /leaves out VAST Tag "t2", which names this object in DspVastTags/ },
    ],
    [
      'bad lines of a list',
      document({ DomainList: [{ Name: 'l', ListText: 'a.example\nno domain\n' }] }),
      {
        'DomainList[l].ListText':
          /line 2 is "no domain"; send one bare domain per line, .*; nothing was changed$/,
      },
    ],
    [
      'a user name twice in the document',
      { Version: 1, Publisher: [owners.Publisher[0], { ...owners.Publisher[0], Name: 'Q' }] },
      { 'Publisher[Q].Username': /"cfg-p" is already taken by Publisher\[P\]/ },
    ],
    [
      'a user name that another team has',
      { Version: 1, Publisher: [{ ...owners.Publisher[0], Username: 'nordlicht' }] },
      { 'Publisher[P].Username': /"nordlicht" is already used/ },
    ],
    [
      'a manager of another team',
      { Version: 1, Publisher: [{ ...owners.Publisher[0], AccManager: 'ada@example.com' }] },
      { 'Publisher[P].AccManager': /ada@example.com is not a user of this team/ },
    ],
    [
      'an object of another team',
      document({ VastTag: [tag('t', { Tags: ['Premium'] })] }),
      { 'VastTag[t].Tags[0]': /names Tag "Premium", which is neither/ },
    ],
    [
      'days in the wrong order',
      document({ Campaign: [dsp('c', { StartDate: '2027-02-01', EndDate: '2027-01-01' })] }),
      { 'Campaign[c].EndDate': /must not be before StartDate/ },
    ],
    [
      'many faults in many objects',
      document({
        Tag: [{ Name: 'fine' }, { Name: 'x', Color: 5 }],
        VastTag: [tag('t', { Tmax: -1, Tags: ['gone'] })],
        IpList: [{ Name: 'l', ListText: '300.1.1.1' }],
      }),
      {
        'Tag[x].Color': /string/,
        'VastTag[t].Tmax': /0 or more/,
        'VastTag[t].Tags[0]': /gone/,
        'IpList[l].ListText': /line 1/,
      },
    ],
    [
      'NUL in a value',
      document({ Tag: [{ Name: 'x', Color: '\0' }] }),
      { 'Tag[x].Color': /cannot be stored/ },
    ],
  ];
  for (const [what, config, faults] of cases) {
    test(what, async () => {
      const team = api.as((await addUser(server, { role: 0 })).token);
      const before = await revisionOf(server);
      for (const step of ['plan', 'apply', 'apply?DryRun=1']) {
        const reply = await send(team, step, config);
        assertRefused(reply, { status: 406, paths: Object.keys(faults), says: Object.values(faults) });
      }
      assert.equal(await revisionOf(server), before);
      assert.deepEqual(await exported(team), { Version: 1 });
    });
  }
});

suite('a document with very many faults', () => {
  test('of very many faults the first thousand are told', async () => {
    const gone = Array.from({ length: 90_000 }, (_, index) => `what is gone ${index}`);
    const one = tag('t', { Tags: gone, DspVastTags: gone, Campaigns: gone, IpBlacklists: gone });
    // Only the first hundred faults suggest a key.
    const meant = { Tag: [{ Name: 'what is gone' }], VastTag: [one] };
    const cases = [[{ Tag: new Array(90_000).fill(0) }, 0], [meant, 100]] as const; // biome-ignore format: pairs
    for (const [more, suggested] of cases) {
      const reply = await send(api, 'apply', document(more));
      assertRefused(reply, { status: 406, says: [/and at least \d+ more$/] });
      const errors = reply.body.Errors as readonly Values[];
      assert.equal(errors.length, 1000);
      assert.equal(
        errors.filter(({ Message }) => /did you mean `what is gone`/.test(`${Message}`)).length,
        suggested,
      );
    }
  });

  test('nothing is looked at in a section with more objects than it may have, nor after very many faults', async () => {
    const wrong = { Name: 'w', Color: 0 };
    const cases: readonly (readonly [Values, readonly string[], RegExp])[] = [
      [{ Tag: new Array(100_001).fill(wrong), KeywordList: [0] }, ['Tag', 'KeywordList[0]'], /object$/],
      [{ KeywordList: new Array(1500).fill(0), Tag: [wrong] }, ['KeywordList[0]'], /and at least 1 more$/],
    ];
    for (const [more, paths, ends] of cases) {
      const { body } = await send(api, 'plan', document(more));
      const told = (body.Errors as Values[]).map(({ Path }) => Path);
      assert.deepEqual(told.slice(0, paths.length), paths);
      assert.doesNotMatch(String(body.Error), /Tag\[w\]/);
      assert.match(String(body.Error), ends);
    }
  });
});
