import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { startCrawling } from '../../../src/crawler/crawling.ts';
import { createVendorListHost } from '../../../src/crawler/vendor-list-host.ts';
import { createVendorListReader } from '../../../src/exchange/crawl/read-vendor-list.ts';
import { createFetcher } from '../../../src/exchange/demand/outbound/fetcher.ts';
import {
  createVendorLists,
  listFile,
  listVersion,
  newestList,
  type VendorListResult,
  type VendorListSubject,
} from '../../../src/exchange/vendor-lists.ts';
import { readVendorList } from '../../../src/protocols/consent/vendor-list.ts';
import { joinThreadGroup, threadGroupMemory } from '../../../src/serving/thread-group.ts';
import { startInternet } from './internet.ts';

const hourMs = 3_600_000;

const listText = (version: number, more: object = {}) =>
  JSON.stringify({
    gvlSpecificationVersion: 3,
    vendorListVersion: version,
    tcfPolicyVersion: 5,
    lastUpdated: '2026-11-26T16:00:00Z',
    purposes: { 1: { id: 1, name: 'Store' } },
    vendors: {
      755: {
        id: 755,
        name: 'V',
        ...{ purposes: [1, 2], legIntPurposes: [7], flexiblePurposes: [2], specialFeatures: [1] },
      },
    },
    ...more,
  });

const resultOf = (subject: VendorListSubject, version: number): VendorListResult => ({
  subject,
  list: readVendorList(listText(version)),
});

describe('what a thread knows of vendor lists', () => {
  const open = () => {
    const clock = { nowMs: 0 };
    const asked: VendorListSubject[] = [];
    const lists = createVendorLists({ ask: (one) => void asked.push(one), now: () => clock.nowMs });
    return { ...lists, asked, clock };
  };

  test('the newest is asked for once, then once a day', () => {
    const { of, newest, learn, asked, clock } = open();
    assert.deepEqual([of(100), of(101), newest()], [undefined, undefined, 0]);
    assert.deepEqual(asked, [newestList]);
    learn(resultOf(newestList, 101));
    assert.deepEqual([of(101)?.version, newest()], [101, 101]);
    clock.nowMs = 24 * hourMs - 1;
    of(101);
    assert.equal(asked.length, 1);
    clock.nowMs += 1;
    of(101);
    assert.equal(asked.length, 2);
  });

  test('a version before the newest is asked for, others are not', () => {
    const { of, learn, asked } = open();
    learn(resultOf(newestList, 101));
    for (const version of [100, 100, 102, 4095, 0, -1]) assert.equal(of(version), undefined);
    assert.deepEqual(asked, [listVersion(100)]);
    learn(resultOf(listVersion(100), 100));
    assert.equal(of(100)?.version, 100);
  });

  test('a fault leaves what is known, and waits', () => {
    const { of, learn, asked, clock } = open();
    learn(resultOf(newestList, 101));
    clock.nowMs = 24 * hourMs;
    of(101);
    learn({ subject: newestList, fault: 'away' });
    assert.equal(of(101)?.version, 101);
    assert.equal(asked.length, 1);
    clock.nowMs += 15 * 60_000;
    of(101);
    assert.equal(asked.length, 2);
  });

  test('the newest stays, however many versions come', () => {
    const { of, learn } = open();
    learn(resultOf(newestList, 4095));
    for (let version = 1; version < 1000; version += 1) learn(resultOf(listVersion(version), version));
    assert.equal(of(4095)?.version, 4095);
    const held = Array.from({ length: 999 }, (_, at) => of(at + 1)).filter((one) => one !== undefined);
    assert.ok(held.length <= 64, String(held.length));
  });
});

describe('a vendor list', () => {
  const url = 'http://lists.example/v3/';
  const pages = {
    'lists.example/v3/vendor-list.json': listText(157),
    'lists.example/v3/archives/vendor-list-v150.json': listText(150),
    'lists.example/v3/archives/vendor-list-v1.json': '<html>',
    'lists.example/v3/archives/vendor-list-v2.json': '{"vendors":{}}',
    'lists.example/v3/archives/vendor-list-v3.json': listText(3, { purposes: 'x'.repeat(70_000) }),
    'lists.example/v3/archives/vendor-list-v4.json': { status: 503 },
  };
  const folder = mkdtempSync(join(tmpdir(), 'bourse-gvl-'));
  after(() => rmSync(folder, { recursive: true }));

  const rows: readonly (readonly [what: string, subject: VendorListSubject, found: number | RegExp])[] = [
    ['the newest', newestList, 157],
    ['one of the archive', listVersion(150), 150],
    ['one that is not there', listVersion(9), /vendor-list-v9\.json: status 404/],
    ['a page', listVersion(1), /it is no JSON object/],
    ['no list', listVersion(2), /gvlSpecificationVersion must be 2 or 3/],
    ['one that is too long', listVersion(3), /vendor-list-v3\.json: invalid_response/],
    ['one that cannot be had now', listVersion(4), /status 503/],
    ['a file', listFile(join(folder, 'list.json'), 1), 140],
    ['a file that is no list', listFile(join(folder, 'wrong.json'), 1), /wrong\.json: .* no JSON object/],
    ['a file that is not there', listFile(join(folder, 'none.json'), 1), /none\.json: ENOENT/],
  ];
  for (const [what, subject, found] of rows) {
    test(`that is ${what}: ${found}`, async () => {
      writeFileSync(join(folder, 'list.json'), listText(140));
      writeFileSync(join(folder, 'wrong.json'), '{');
      await using internet = await startInternet(pages);
      const { fetch, close } = createFetcher({
        allowPrivate: false,
        proxy: internet.proxy,
        answerBytesMax: 65_536,
      });
      const result = await createVendorListReader({ fetch, userAgent: 'test', url })(subject);
      await close();
      if (typeof found === 'number') {
        assert.deepEqual(result, resultOf(subject, found));
      } else assert.match('fault' in result ? result.fault : '', found);
    });
  }
});

describe('the first thread', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-gvl-'));
  after(() => rmSync(folder, { recursive: true }));

  const open = (file?: string) => {
    const clock = { nowMs: 0 };
    const told: VendorListSubject[] = [];
    const warned: string[] = [];
    const logger = {
      warn: ({ fault }: { fault: string }) => void warned.push(fault),
      info: () => undefined,
    } as unknown as Parameters<typeof createVendorListHost>[0]['logger'];
    const host = createVendorListHost({
      read: (subject) => void told.push(subject),
      file,
      logger,
      now: () => clock.nowMs,
    });
    return { ...host, told, warned, clock };
  };

  test('fetches six versions an hour, and the newest always', () => {
    const { ask, told, clock } = open();
    for (let version = 1; version <= 100; version += 1) ask(listVersion(version));
    ask(newestList);
    assert.deepEqual(told, [...[1, 2, 3, 4, 5, 6].map(listVersion), newestList]);
    clock.nowMs = hourMs;
    ask(listVersion(7));
    assert.equal(told.length, 8);
  });

  test('says once what is wrong, and again when it is something else', () => {
    const { note, warned } = open();
    for (const fault of ['away', 'away', 'status 404']) note({ subject: newestList, fault });
    note(resultOf(newestList, 101));
    note({ subject: newestList, fault: 'status 404' });
    assert.deepEqual(warned, ['away', 'status 404', 'status 404']);
  });

  test('remembers what came, for threads that start later', () => {
    const { note, known } = open();
    for (let version = 1; version <= 100; version += 1) note(resultOf(listVersion(version), version));
    assert.deepEqual(
      known().map((one) => 'list' in one && one.list.version),
      Array.from({ length: 32 }, (_, at) => 69 + at),
    );
  });

  test('reads a file again when it was written again, and fetches nothing', async () => {
    const path = join(folder, 'list.json');
    writeFileSync(path, listText(1));
    const { ask, look, note, told, close } = open(path);
    await look();
    const [first] = told;
    assert.ok(first);
    note(resultOf(first, 1));
    told.length = 0;
    await look();
    assert.deepEqual(told, []);
    utimesSync(path, 1, 1);
    await look();
    ask(newestList);
    assert.deepEqual(told, [listFile(path, 1000)]);
    await close();
  });

  test('reads the last files of a folder', async () => {
    const path = join(folder, 'lists');
    mkdirSync(path);
    for (let version = 1; version <= 40; version += 1)
      writeFileSync(join(path, `vendor-list-v${version}.json`), '');
    writeFileSync(join(path, 'notes.txt'), '');
    const { look, told, close } = open(path);
    await look();
    assert.deepEqual(
      [...new Set(told)].map((one) => /v(\d+)\.json/.exec(one)?.[1]),
      Array.from({ length: 32 }, (_, at) => String(9 + at)),
    );
    await close();
  });

  test('says that a file is missing', async () => {
    const { look, warned, close } = open(join(folder, 'nowhere'));
    await look();
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? '', /^BOURSE_GVL_FILE: ENOENT/);
    await close();
  });
});

describe('of the threads of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-gvl-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'list.json');

  const rows = [
    ['that is fetched', undefined],
    ['of a file', file],
  ] as const;
  for (const [what, gvlFile] of rows) {
    test(`all learn a list ${what}`, async () => {
      writeFileSync(file, listText(157));
      await using internet = await startInternet({
        'lists.example/v3/vendor-list.json': listText(157),
        'lists.example/v3/archives/vendor-list-v150.json': listText(150),
      });
      const memory = threadGroupMemory(3);
      const start = (number: number) => {
        const threadGroup = joinThreadGroup(memory, number);
        const crawling = startCrawling({
          threadGroup,
          logger: pino({ level: 'silent' }),
          now: Date.now,
          proxy: internet.proxy,
          url: () => 'https://us.example',
          gvlFile,
          ratesUrl: 'http://rates.example/latest.json',
          ratesFile: undefined,
          ratesDays: 7,
          vendorListUrl: 'http://lists.example/v3/',
        });
        const close = () => {
          crawling.close();
          threadGroup.channel.close();
        };
        return { ...crawling, close };
      };
      const threads = [start(0), start(1)];
      const until = async (number: number, version: number) => {
        while (threads[number]?.vendorLists.of(version) === undefined) await turn();
      };
      try {
        for (const number of [1, 0]) await until(number, 157);
        if (gvlFile === undefined) for (const number of [1, 0]) await until(number, 150);
        assert.equal(threads[1]?.vendorLists.newest(), 157);
        assert.deepEqual(
          [...new Set(internet.asked)],
          gvlFile === undefined
            ? ['lists.example/v3/vendor-list.json', 'lists.example/v3/archives/vendor-list-v150.json']
            : [],
        );
      } finally {
        for (const { close } of threads) close();
      }
    });
  }
});
