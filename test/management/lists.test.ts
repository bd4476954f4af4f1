import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Fetched, posted, startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';
import { resources } from './resources.ts';

const { api } = await startApi();
type ListName = 'DomainList' | 'AppList' | 'IpList' | 'KeywordList';
const listNames: readonly ListName[] = ['DomainList', 'AppList', 'IpList', 'KeywordList'];

const countsOf = ({ DomainCount, AppCount, IpCount, IpRangesCount, KeywordCount }: Values) =>
  [DomainCount, AppCount, IpCount, IpRangesCount, KeywordCount].filter((count) => count !== undefined);

/** A text as it is sent, the lines it comes back as, and the counts (for IP lists: addresses, ranges). */
type Row = readonly [
  name: ListName,
  what: string,
  sent: string,
  stored: readonly string[],
  counts: readonly number[],
];

const long = 'a'.repeat(63);
const rows: readonly Row[] = [
  ['DomainList', 'nothing', '', [], [0]],
  ['DomainList', 'only comments and space', '# a\n\n   \n#b.example\n', [], [0]],
  ['DomainList', 'order', 'c.example\na.example\nb.example', ['c.example', 'a.example', 'b.example'], [3]],
  ['DomainList', 'space around lines', '  a.example \n\tb.example\t\n', ['a.example', 'b.example'], [2]],
  ['DomainList', 'Windows lines', 'a.example\r\nb.example\r\n', ['a.example', 'b.example'], [2]],
  ['DomainList', 'indented comments', '  # no\na.example', ['a.example'], [1]],
  [
    'DomainList',
    'duplicates',
    'a.example\nb.example\n a.example\nA.EXAMPLE',
    ['a.example', 'b.example'],
    [2],
  ],
  ['DomainList', 'upper case', 'Example.COM', ['example.com'], [1]],
  [
    'DomainList',
    'IDN',
    'münchen.example\nBÜCHER.example',
    ['xn--mnchen-3ya.example', 'xn--bcher-kva.example'],
    [2],
  ],
  [
    'DomainList',
    'one domain in both forms',
    'bücher.example\nxn--bcher-kva.example',
    ['xn--bcher-kva.example'],
    [1],
  ],
  ['DomainList', 'an IDN top level', 'пример.рф', ['xn--e1afmkfd.xn--p1ai'], [1]],
  ['DomainList', 'long labels', `${long}.example`, [`${long}.example`], [1]],
  ['DomainList', 'many labels and digits', '1.a-b.3com.example.co.uk', ['1.a-b.3com.example.co.uk'], [1]],
  ['AppList', 'nothing', '', [], [0]],
  [
    'AppList',
    'packages, bundles, numbers',
    'com.example.game\n1207472156\nB00ABCDEFG\ncom.Example.My_App-2\n# no\n com.example.game',
    ['com.example.game', '1207472156', 'B00ABCDEFG', 'com.Example.My_App-2'],
    [4],
  ],
  ['IpList', 'nothing', '', [], [0, 0]],
  [
    'IpList',
    'addresses',
    '192.0.2.1\n0.0.0.0\n255.255.255.255',
    ['192.0.2.1', '0.0.0.0', '255.255.255.255'],
    [3, 0],
  ],
  ['IpList', 'IPv6', '2001:db8::1\n::1\n::', ['2001:db8::1', '::1', '::'], [3, 0]],
  [
    'IpList',
    'CIDR',
    '10.0.0.0/8\n0.0.0.0/0\n192.0.2.1/32\n2001:db8::/32\n::/0',
    ['10.0.0.0/8', '0.0.0.0/0', '192.0.2.1/32', '2001:db8::/32', '::/0'],
    [0, 5],
  ],
  [
    'IpList',
    'ranges',
    '10.0.0.1-10.0.0.9\n9.255.255.255-10.0.0.0\n2001:db8::1-2001:db8::ff\n192.0.2.1',
    ['10.0.0.1-10.0.0.9', '9.255.255.255-10.0.0.0', '2001:db8::1-2001:db8::ff', '192.0.2.1'],
    [1, 3],
  ],
  [
    'IpList',
    'duplicates',
    '192.0.2.1\n10.0.0.0/8\n192.0.2.1\n10.0.0.0/8',
    ['192.0.2.1', '10.0.0.0/8'],
    [1, 1],
  ],
  ['KeywordList', 'words', 'cheap flights\n\n# no\n cheap flights \nhotel', ['cheap flights', 'hotel'], [2]],
];

/** Lines that are none of their kind. */
const bad: Readonly<Record<Exclude<ListName, 'KeywordList'>, readonly string[]>> = {
  DomainList: [
    'http://a.example',
    'a.example/path',
    'a b.example',
    '.example',
    'a..example',
    '-a.example',
    'a-.example',
    `a${long}.example`,
    'a.example:80',
    'user@a.example',
    '192.0.2.1',
    '2001:db8::1',
    'a,b.example',
    '!',
    `${'a.'.repeat(127)}example`,
    'a.example;',
    'a.example, b.example',
    '10.0.0.0/8',
  ],
  AppList: ['com.example game', 'a,b', 'https://store.example/app', 'com/example', '<b>', 'ключ'],
  IpList: [
    '256.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    'a.example',
    '10.0.0.0/33',
    '2001:db8::/129',
    '10.0.0.0/',
    '/8',
    '10.0.0.9-10.0.0.1',
    '10.0.0.1-2001:db8::1',
    '2001:db8::2-2001:db8::1',
    '10.0.0.1-',
    '-10.0.0.1',
    '2001:db8:::1',
    'fe80::1%eth0',
    '1.2.3.4:80',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '1.2.3.4-1.2.3.5-1.2.3.6',
    '10.0.0.0/8-11.0.0.0/8',
    '0x7f.1',
    '1.2.3.-4',
    '12345::',
    '[::1]',
  ],
};

/** What people export from other programs: the first line as it is shown, and what is wanted. */
const spoilt: readonly (readonly [
  name: ListName,
  what: string,
  sent: string,
  shown: string,
  wanted: string,
])[] = [
  ['DomainList', 'a header', 'Domain\na.example', '"Domain"', 'one bare domain per line, like example.com'],
  [
    'DomainList',
    'a header of columns',
    'Domain;Clicks\na.example;5',
    '"Domain;Clicks", line 2 is "a.example;5"',
    'one bare domain',
  ],
  ['DomainList', 'quoted columns', '"a.example","5"', String.raw`"\"a.example\",\"5\""`, 'one bare domain'],
  ['DomainList', 'columns with tabs', 'a.example\t5', String.raw`"a.example\u00095"`, 'one bare domain'],
  ['DomainList', 'all in one line', 'a.example, b.example', '"a.example, b.example"', 'one bare domain'],
  ['DomainList', 'a URL', 'https://a.example/?a=1#b', '"https://a.example/?a=1#b"', 'one bare domain'],
  [
    'DomainList',
    'old line ends',
    'a.example\rb.example',
    String.raw`"a.example\u000db.example"`,
    'one bare domain',
  ],
  ['DomainList', 'a long line', 'x'.repeat(5000), `"${'x'.repeat(80)}…"`, 'one bare domain'],
  ['AppList', 'a header', 'Bundle ID\ncom.example', '"Bundle ID"', 'one application identifier per line'],
  [
    'AppList',
    'a header that could be an identifier',
    'bundle_id\ncom.example',
    '"bundle_id"',
    'one application',
  ],
  ['AppList', 'columns', 'com.example;5', '"com.example;5"', 'one application identifier per line'],
  [
    'AppList',
    'the address of a store',
    'https://apps.apple.com/app/id1207472156',
    '"https://apps.apple.com/app/id1207472156"',
    'one application',
  ],
  ['IpList', 'a header', 'IP\n192.0.2.1', '"IP"', 'one IP address or range per line, like 192.0.2.1'],
  ['IpList', 'columns', '192.0.2.1,5', '"192.0.2.1,5"', 'one IP address or range per line'],
  ['IpList', 'a URL', 'http://192.0.2.1/', '"http://192.0.2.1/"', 'one IP address or range per line'],
  [
    'KeywordList',
    'a text without lines',
    'a, '.repeat(100),
    `"${'a, '.repeat(27).slice(0, 80)}…"`,
    'one keyword or phrase per line',
  ],
];

const send = (name: ListName, operation: string, values: Values) =>
  api.post(`/api/${resources[name].path}/${operation}`, { [resources[name].wrapper]: values });

suite('list texts are normalised and counted', () => {
  for (const [name, what, sent, stored, counts] of rows) {
    test(`${name}: ${what}`, async () => {
      const added = await api.add(name, { ListText: sent });
      assert.deepEqual(countsOf(added), counts);
      const fetched = await api.one(name, added.Id);
      assert.deepEqual([fetched.ListText, countsOf(fetched)], [stored.join('\n'), counts]);
      const { Id } = await api.add(name);
      assert.deepEqual(countsOf(await api.update(name, { Id, ListText: sent })), counts);
      assert.equal((await api.one(name, Id)).ListText, stored.join('\n'));
    });
  }
});

suite('bad lines', () => {
  for (const [name, lines] of Object.entries(bad) as [keyof typeof bad, readonly string[]][]) {
    const good = { DomainList: 'kept.example', AppList: 'com.kept', IpList: '192.0.2.7' }[name];
    const path = `${name}.ListText`;
    for (const line of lines) {
      test(`${name}: ${line.slice(0, 40)} is told by its number, and nothing changes`, async () => {
        const { Id } = await api.add(name, { Name: 'Kept', ListText: good });
        const before = await api.one(name, Id);
        const ListText = `# note\n${good}\n\n${line}\n`;
        const reply = await send(name, 'update', { Id, Name: 'Changed', Global: 1, ListText });
        assertRefused(reply, { status: 406, paths: [path], says: [/\b4\b/] });
        assert.deepEqual(await api.one(name, Id), before);
        const count = (await api.all(name)).length;
        assertRefused(await send(name, 'add', { Name: 'New', ListText }), { status: 406, paths: [path] });
        assert.equal((await api.all(name)).length, count, 'nothing is added');
      });
    }
    test(`${name}: the numbers of the first ten, and how many more`, async () => {
      const ListText = `${good}\n${'!\n'.repeat(5)}${good}\n${'!\n'.repeat(94)}`;
      const reply = await send(name, 'add', { Name: 'A', ListText });
      assertRefused(reply, { status: 406, paths: [path] });
      const numbers = String(reply.body.Error)
        .matchAll(/\bline (\d+) is "!"/g)
        .toArray()
        .map(([, number]) => Number(number));
      assert.deepEqual(numbers, [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]);
      assert.match(String(reply.body.Error), /"!", and 89 more; send one /);
    });
  }
  for (const [name, what, ListText, shown, wanted] of spoilt) {
    test(`${name}: ${what} is shown, with what is wanted instead`, async () => {
      const reply = await send(name, 'add', { Name: 'A', ListText });
      const says = [`line 1 is ${shown}`, `; send ${wanted}`, '; nothing was changed'];
      assertRefused(reply, { status: 406, paths: [`${name}.ListText`], says });
    });
  }
  test('a name of a column is an entry where it cannot be told from one, and anywhere but in the first line', async () => {
    assert.equal((await api.add('AppList', { ListText: 'com.example\nbundle' })).AppCount, 2);
    assert.equal((await api.add('KeywordList', { ListText: 'keyword' })).KeywordCount, 1);
  });
  for (const ListText of [1, null, [], ['a.example'], true]) {
    test(`ListText ${JSON.stringify(ListText)} is 406`, async () => {
      const reply = await send('DomainList', 'add', { Name: 'A', ListText });
      assertRefused(reply, { status: 406, paths: ['DomainList.ListText'] });
    });
  }
});

suite('where ListText shows', () => {
  for (const name of listNames) {
    test(`${name}: only in the fetch of one`, async () => {
      const ListText = name === 'IpList' ? '192.0.2.1' : 'a.example';
      const { wrapper } = resources[name];
      const added: Fetched = await api.add(name, { ListText });
      const { Id } = added;
      const answers: readonly Values[] = [
        added,
        await api.update(name, { Id, ListText }),
        posted(await send(name, 'deactivate', { Id }), wrapper),
        posted(await send(name, 'activate', { Id }), wrapper),
        ...(await api.all(name)),
      ];
      for (const answer of answers) assert.ok(!('ListText' in answer));
      assert.equal((await api.one(name, Id)).ListText, ListText);
    });
    test(`${name}: an update without it keeps it, "" clears it`, async () => {
      const ListText = name === 'IpList' ? '192.0.2.1\n10.0.0.0/8' : 'a.example';
      const { Id } = await api.add(name, { ListText });
      const renamed = await api.update(name, { Id, Name: 'B', Global: 1 });
      assert.deepEqual([renamed.Name, renamed.Global], ['B', 1]);
      assert.deepEqual(countsOf(renamed), name === 'IpList' ? [1, 1] : [1]);
      assert.equal((await api.one(name, Id)).ListText, ListText);
      assert.deepEqual(
        countsOf(await api.update(name, { Id, ListText: '' })),
        name === 'IpList' ? [0, 0] : [0],
      );
      assert.equal((await api.one(name, Id)).ListText, '');
    });
  }
  test('counts are made, not taken', async () => {
    const { Id, DomainCount } = await api.add('DomainList', { DomainCount: 7, ListText: 'a.example' });
    assert.equal(DomainCount, 1);
    assert.equal((await api.update('DomainList', { Id, DomainCount: 9 })).DomainCount, 1);
  });
});

test('a list of a hundred thousand lines comes back whole', async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `site-${index}.example`);
  const { Id, DomainCount } = await api.add('DomainList', { ListText: lines.join('\n') });
  assert.equal(DomainCount, lines.length);
  assert.equal((await api.one('DomainList', Id)).ListText, lines.join('\n'));
  await api.update('DomainList', { Id, ListText: lines.toReversed().slice(0, 3).join('\n') });
  assert.equal((await api.one('DomainList', Id)).ListText, lines.toReversed().slice(0, 3).join('\n'));
});

suite('a list without its text', () => {
  for (const name of listNames) {
    test(`${name}: the same object under the same tag`, async () => {
      const { Id } = await api.add(name, {
        Name: 'Long',
        ListText: name === 'IpList' ? '192.0.2.1' : 'a.example',
      });
      const path = `/api/${resources[name].path}/get?Id=${Id}`;
      const whole = await api.send(path);
      const short = await api.send(`${path}&WithoutText=1`);
      assert.deepEqual(Object.keys(whole.body as Values).at(-1), 'ListText');
      assert.deepEqual({ ...(short.body as Values), ListText: (whole.body as Values).ListText }, whole.body);
      assert.ok(!('ListText' in (short.body as Values)));
      assert.equal(short.headers.get('etag'), whole.headers.get('etag'));
    });
  }
  test('is asked for of lists only', async () => {
    const answer = await api.send('/api/publisher/get?Id=1&WithoutText=1');
    assert.equal(answer.status, 406);
  });
});
