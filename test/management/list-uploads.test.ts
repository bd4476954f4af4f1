import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { posted, type Reply, startApi } from './api.ts';
import { assertRefused } from './refusals.ts';
import { resources } from './resources.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const analyst = api.as((await addUser(server, { role: 2, teamId: 1 })).token);

const lists = [
  ['DomainList', 'b.example\r\nA.example\n# no\nb.example\n', 'b.example\na.example'],
  ['AppList', 'com.b\ncom.a\n', 'com.b\ncom.a'],
  ['IpList', '192.0.2.1\n10.0.0.0/8', '192.0.2.1\n10.0.0.0/8'],
  ['KeywordList', 'two words\none', 'two words\none'],
] as const;
type ListName = (typeof lists)[number][0];
type Parts = readonly (readonly [name: string, value: string | File])[];

function upload(name: ListName, operation: string, parts: Parts, caller = api): Promise<Reply> {
  const body = new FormData();
  for (const [part, value] of parts) body.append(part, value);
  return caller.send(`/api/${resources[name].path}/${operation}`, { method: 'POST', body });
}

const file = (content: string | Uint8Array<ArrayBuffer>, fileName = 'list.txt') =>
  new File([content], fileName);

for (const [name, sent, stored] of lists) {
  const { wrapper } = resources[name];
  suite(`${name} as multipart/form-data`, () => {
    test('add takes one File, its name and flag beside it', async () => {
      const parts: Parts = [
        ['Name', 'Mine'],
        ['Global', '1'],
        ['File', file(sent)],
      ];
      const object = posted(await upload(name, 'add', parts), wrapper);
      assert.deepEqual([object.Name, object.Global, object.Status], ['Mine', 1, 0]);
      assert.ok(!('ListText' in object));
      assert.equal((await api.one(name, object.Id)).ListText, stored);
    });
    test('fields may come after the file, or not at all', async () => {
      const named = posted(
        await upload(name, 'add', [
          ['File', file(sent)],
          ['Name', '2027'],
        ]),
        wrapper,
      );
      assert.equal(named.Name, '2027');
      const bare = posted(await upload(name, 'add', [['File', file(sent)]]), wrapper);
      assert.equal((await api.one(name, bare.Id)).ListText, stored);
      assert.equal(bare.Name, 'list.txt');
      const nameless = posted(await upload(name, 'add', [['File', file(sent, '/')]]), wrapper);
      assert.equal(nameless.Name, 'List');
    });
    test('update replaces the text, and keeps what is omitted', async () => {
      const { Id } = await api.add(name, { Name: 'Kept', Global: 1 });
      const object = posted(
        await upload(name, 'update', [
          ['Id', `${Id}`],
          ['File', file(sent)],
        ]),
        wrapper,
      );
      assert.deepEqual([object.Id, object.Name, object.Global], [Id, 'Kept', 1]);
      assert.equal((await api.one(name, Id)).ListText, stored);
    });
    test('a byte order mark is no part of the first line', async () => {
      const { Id } = posted(await upload(name, 'add', [['File', file(`\uFEFF${sent}`)]]), wrapper);
      assert.equal((await api.one(name, Id)).ListText, stored);
    });
  });
}

const latin1 = Uint8Array.from([0x62, 0xfc, 0x2e, 0x65, 0x78]);

/** What is wrong with an upload to `domainlist/add`, and a path or text of the answer. */
const refusals: Readonly<Record<string, { parts: Parts; says: readonly (string | RegExp)[] }>> = {
  'no file': { parts: [['Name', 'A']], says: ['File'] },
  'the file under another name': {
    parts: [['Upload', file('a.example')]],
    says: ['File is expected, not `Upload`'],
  },
  'an unknown field': {
    parts: [
      ['Nmae', 'A'],
      ['File', file('a.example')],
    ],
    says: ['Nmae', 'Name'],
  },
  'a bad flag': {
    parts: [
      ['Global', '2'],
      ['File', file('a.example')],
    ],
    says: ['Global'],
  },
  'a flag that is no number': {
    parts: [
      ['Global', 'yes'],
      ['File', file('a.example')],
    ],
    says: ['Global'],
  },
  'a flag that is empty': {
    parts: [
      ['Global', ''],
      ['File', file('a.example')],
    ],
    says: ['Global', 'not a string'],
  },
  'bad lines': { parts: [['File', file('a.example\n!\n\n!!')]], says: [/\b2\b.*\b4\b/] },
  'bad lines and a bad flag': {
    parts: [
      ['Global', '2'],
      ['File', file('!')],
    ],
    says: ['Global', /\b1\b/],
  },
  'bytes that are no UTF-8': { parts: [['File', file(latin1)]], says: ['File'] },
  'two files': {
    parts: [
      ['File', file('a.example')],
      ['File', file('b.example')],
    ],
    says: ['File appears twice'],
  },
  'lines in a field and in a file': {
    parts: [
      ['ListText', 'a.example'],
      ['File', file('b.example')],
    ],
    says: ['DomainList.ListText', '`File`'],
  },
  'lines in a field after the file': {
    parts: [
      ['File', file('b.example')],
      ['ListText', ''],
    ],
    says: ['DomainList.ListText', '`File`'],
  },
  'lines in a field alone': { parts: [['ListText', 'a.example']], says: ['File'] },
  'a field twice': {
    parts: [
      ['Name', 'A'],
      ['Name', 'B'],
      ['File', file('a.example')],
    ],
    says: ['Name'],
  },
};

suite('uploads that are refused', () => {
  for (const [what, { parts, says }] of Object.entries(refusals)) {
    test(`${what}: 406, and nothing is added`, async () => {
      const before = (await api.all('DomainList')).length;
      assertRefused(await upload('DomainList', 'add', parts), { status: 406, says });
      assert.equal((await api.all('DomainList')).length, before);
    });
  }
  test('bad lines of an update change nothing', async () => {
    const { Id } = await api.add('IpList', { Name: 'Kept', ListText: '192.0.2.1' });
    const parts: Parts = [
      ['Id', `${Id}`],
      ['Name', 'Changed'],
      ['File', file('192.0.2.2\nnone')],
    ];
    assertRefused(await upload('IpList', 'update', parts), { status: 406, says: [/\b2\b/] });
    const list = await api.one('IpList', Id);
    assert.deepEqual([list.Name, list.ListText], ['Kept', '192.0.2.1']);
  });
  test('an update of no list is 406', async () => {
    for (const parts of [[['Id', '999999']], []] as Parts[]) {
      const reply = await upload('IpList', 'update', [...parts, ['File', file('192.0.2.2')]]);
      assertRefused(reply, { status: 406, paths: ['IpList.Id'] });
    }
  });
  test('an analyst is 403, nobody 401', async () => {
    const parts: Parts = [['File', file('a.example')]];
    assertRefused(await upload('DomainList', 'add', parts, analyst), { status: 403 });
    assertRefused(await upload('DomainList', 'add', parts, api.as('')), { status: 401 });
  });
  test('more than 64 MiB: 413', async () => {
    const reply = await upload('IpList', 'add', [['File', file(new Uint8Array(64 * 1024 * 1024 + 1))]]);
    assertRefused(reply, { status: 413 });
  });
  test('what is cut off, or no form, is 400', async () => {
    const head = '--x\r\nContent-Disposition: form-data; name="File"; filename="a"\r\n\r\na.example';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    for (const body of [head, '--x', 'nonsense', '{"DomainList":{"Name":"A"}}']) {
      const before = (await api.all('DomainList')).length;
      const reply = await api.send('/api/domainlist/add', { method: 'POST', body, headers });
      assertRefused(reply, { status: 400, says: ['The form cannot be read'] });
      assert.equal((await api.all('DomainList')).length, before);
    }
  });
});
