import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { startCrawling } from '../../../src/crawler/crawling.ts';
import { createRatesHost } from '../../../src/crawler/rates-host.ts';
import { createRates, newestRates, type RatesSubject, ratesFile } from '../../../src/exchange/rates.ts';
import { readRates } from '../../../src/protocols/rates/read-rates.ts';
import { joinThreadGroup, threadGroupMemory } from '../../../src/serving/thread-group.ts';
import { startInternet } from './internet.ts';

const dayMs = 24 * 3_600_000;
const date = '2027-01-29';
const publishedMs = Date.parse(date);
const ratesText = (day = date) => JSON.stringify({ dataAsOf: day, conversions: { EUR: { USD: 1.0857 } } });
const found = (day = date) => ({ subject: newestRates, rates: readRates(ratesText(day)) });

describe('what a thread knows of rates', () => {
  const open = () => {
    const asked: RatesSubject[] = [];
    const clock = { nowMs: publishedMs };
    const ask = (subject: RatesSubject) => void asked.push(subject);
    return { asked, clock, ...createRates({ ask, now: () => clock.nowMs, days: 7 }) };
  };

  test('they are asked for once a currency is, and daily from then on', () => {
    const { asked, clock, current, learn } = open();
    current();
    assert.deepEqual(asked, []);
    for (let time = 0; time < 3; time += 1) assert.equal(current().of('EUR', clock.nowMs), undefined);
    assert.deepEqual(asked, [newestRates]);
    learn(found());
    assert.equal(current().of('EUR', clock.nowMs), 1.0857);
    assert.equal(asked.length, 1);
    clock.nowMs += dayMs;
    current().of('EUR', clock.nowMs);
    assert.equal(asked.length, 2);
  });

  test('they are good for so many days, at the time of the auction', () => {
    const { current, learn } = open();
    learn(found());
    assert.equal(current().of('EUR', publishedMs + 8 * dayMs - 1), 1.0857);
    assert.equal(current().of('EUR', publishedMs + 8 * dayMs), undefined);
    assert.equal(current().of('GBP', publishedMs), undefined);
  });

  test('an auction that has begun keeps its own', () => {
    const { current, learn } = open();
    learn(found());
    const kept = current();
    const conversions = { EUR: { USD: 2 } };
    learn({ subject: newestRates, rates: readRates(JSON.stringify({ dataAsOf: date, conversions })) });
    assert.deepEqual([kept.of('EUR', publishedMs), current().of('EUR', publishedMs)], [1.0857, 2]);
  });

  test('a fault leaves what is known', () => {
    const { current, learn, publishedMs: published } = open();
    assert.equal(published(), 0);
    learn(found());
    learn({ subject: newestRates, fault: 'away' });
    assert.equal(current().of('EUR', publishedMs), 1.0857);
    assert.equal(published(), publishedMs);
  });
});

test('the first thread says what is wrong, and keeps the last good rates for threads that start later', async () => {
  const warned: string[] = [];
  const logger = pino({ level: 'silent' });
  logger.warn = ((_: object, text: string) => void warned.push(text)) as typeof logger.warn;
  const host = createRatesHost({ read: () => undefined, file: undefined, logger, now: () => 0 });
  host.note({ subject: newestRates, fault: 'away' });
  host.note(found());
  host.note({ subject: newestRates, fault: 'away' });
  assert.match(warned[0] ?? '', /no exchange rates are known.* BOURSE_RATES_FILE/);
  assert.match(warned[1] ?? '', /the last good ones stay/);
  assert.deepEqual(host.known(), [found()]);
  await host.close();
});

describe('of the threads of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-rates-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'rates.json');
  const rows = [
    ['that are fetched', undefined],
    ['of a file', file],
  ] as const;
  for (const [what, path] of rows) {
    test(`all learn rates ${what}`, async () => {
      writeFileSync(file, ratesText());
      await using internet = await startInternet({ 'rates.example/latest.json': ratesText() });
      const memory = threadGroupMemory(3);
      const start = (number: number) => {
        const threadGroup = joinThreadGroup(memory, number);
        const crawling = startCrawling({
          threadGroup,
          logger: pino({ level: 'silent' }),
          now: Date.now,
          proxy: internet.proxy,
          url: () => 'https://us.example',
          gvlFile: undefined,
          ratesUrl: 'http://rates.example/latest.json',
          ratesFile: path,
          ratesDays: 7,
        });
        const close = () => {
          crawling.close();
          threadGroup.channel.close();
        };
        return { ...crawling, close };
      };
      const threads = [start(0), start(1)];
      try {
        for (const { rates } of threads) {
          while (rates.current().of('EUR', publishedMs) === undefined) {
            await new Promise(setImmediate);
          }
        }
        assert.deepEqual(internet.asked, path === undefined ? ['rates.example/latest.json'] : []);
      } finally {
        for (const { close } of threads) close();
      }
    });
  }
});

test('a file is named by when it was written', () => {
  assert.notEqual(ratesFile('rates.json', 1), ratesFile('rates.json', 2));
});
