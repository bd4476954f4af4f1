import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertLines } from './convert-lines.ts';

interface Case {
  readonly what: string;
  readonly list?: string;
  readonly lines: readonly string[];
  readonly column?: number;
  /** Undefined: nothing is offered. */
  readonly become: readonly string[] | undefined;
  readonly hasHeader?: boolean;
  readonly columns?: number;
  readonly taken?: number;
  readonly empty?: number;
}

const cases: readonly Case[] = [
  { what: 'domains stay', lines: ['a.example', 'b.example', '# note'], become: undefined },
  { what: 'nothing stays', lines: [''], become: undefined },
  {
    what: 'a column that is named',
    lines: ['rank,domain,note', '1,a.example,x.y', '2,b.example,', '3,,none'],
    become: ['a.example', 'b.example'],
    hasHeader: true,
    columns: 3,
    empty: 1,
  },
  {
    what: 'quotes, semicolons and line ends of Windows',
    lines: ['"Site";"Visits"\r', '"a.example";"1;0"\r', '"b.example";"2"\r'],
    become: ['a.example', 'b.example'],
    hasHeader: true,
    columns: 2,
  },
  {
    what: 'a column without a name',
    lines: ['1\ta.example', '2\tb.example'],
    become: ['a.example', 'b.example'],
    columns: 2,
  },
  {
    what: 'the column that was chosen',
    lines: ['from,to', 'a.example,b.example'],
    column: 1,
    become: ['b.example'],
    hasHeader: true,
    columns: 2,
  },
  { what: 'a header alone', lines: ['Domain', 'a.example'], become: ['a.example'], hasHeader: true },
  {
    what: 'URLs, ports and paths',
    lines: ['https://a.example/x?y=1', 'b.example:8080', 'c.example/path', 'd.example', '//e.example/'],
    become: ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'],
    taken: 4,
  },
  {
    what: 'URLs in a column',
    lines: ['url,n', 'https://a.example/,1', 'https://b.example/,2'],
    become: ['a.example', 'b.example'],
    hasHeader: true,
    columns: 2,
    taken: 2,
  },
  {
    what: 'what is no URL stays for the server to tell',
    lines: ['https://a.example/', 'http://%%%', 'no domain'],
    become: ['a.example', 'http://%%%', 'no domain'],
    taken: 1,
  },
  {
    what: 'addresses of stores',
    list: 'AppList',
    lines: [
      'https://play.google.com/store/apps/details?id=com.example.game&hl=de',
      'https://apps.apple.com/us/app/example/id1207472156',
      'com.example.other',
    ],
    become: ['com.example.game', '1207472156', 'com.example.other'],
    taken: 2,
  },
  {
    what: 'addresses beside names',
    list: 'IpList',
    lines: ['name,ip', 'office,192.0.2.1', 'home,2001:db8::/32'],
    become: ['192.0.2.1', '2001:db8::/32'],
    hasHeader: true,
    columns: 2,
  },
  { what: 'keywords with commas stay', list: 'KeywordList', lines: ['a, b', 'c, d'], become: undefined },
  {
    what: 'lines that are no table stay',
    lines: ['a.example', 'b, c.example', 'd.example'],
    become: undefined,
  },
];
for (const { what, list = 'DomainList', lines, column, become, ...says } of cases) {
  test(what, () => {
    const found = convertLines(lines.join('\n'), list, column);
    assert.deepEqual(found?.text.split('\n').filter(Boolean), become);
    if (!found) return;
    for (const { number, to } of found.first) assert.equal(found.text.split('\n')[number - 1], to);
    const { hasHeader = false, columns = 1, taken = 0, empty = 0 } = says;
    assert.deepEqual(
      [found.table.hasHeader, found.table.columns.length, found.taken, found.empty, found.entries],
      [hasHeader, columns, taken, empty, become?.length],
    );
  });
}
