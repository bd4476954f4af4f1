import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCrawlFindings, type Subject } from '../../../src/exchange/crawl/crawl-findings.ts';

const subject: Subject = 'site\tnews.example';

function open() {
  const asked: Subject[] = [];
  const clock = { nowMs: 0 };
  const crawled = createCrawlFindings({
    ask: (one) => asked.push(one),
    now: () => clock.nowMs,
    ownSystem: () => 'us.example',
  });
  return { asked, clock, crawled };
}

describe('what a thread knows of what others publish', () => {
  test('is asked for once, and known when the news is there', () => {
    const { asked, crawled } = open();
    assert.equal(crawled.find('site', 'news.example'), undefined);
    assert.equal(crawled.find('site', 'news.example'), undefined);
    assert.deepEqual(asked, [subject]);
    crawled.learn({ subject, finding: 'no', forMs: 1000 });
    assert.equal(crawled.find('site', 'news.example'), 'no');
    assert.equal(asked.length, 1);
  });

  test('is asked for again when it is out of date, and good until then', () => {
    const { asked, clock, crawled } = open();
    crawled.learn({ subject, finding: 'yes', forMs: 1000 });
    clock.nowMs = 999;
    assert.equal(crawled.find('site', 'news.example'), 'yes');
    assert.deepEqual(asked, []);
    clock.nowMs = 1000;
    assert.equal(crawled.find('site', 'news.example'), 'yes');
    assert.deepEqual(asked, [subject]);
  });

  test('outlives a time at which it cannot be found out', () => {
    const { asked, clock, crawled } = open();
    crawled.learn({ subject, finding: 'yes', forMs: 1000 });
    crawled.learn({ subject, finding: undefined, forMs: 500 });
    assert.equal(crawled.find('site', 'news.example'), 'yes');
    clock.nowMs = 500;
    assert.equal(crawled.find('site', 'news.example'), 'yes');
    assert.deepEqual(asked, [subject]);
  });

  test('is asked for again where no news came', () => {
    const { asked, clock, crawled } = open();
    crawled.find('site', 'news.example');
    clock.nowMs = 120_000;
    crawled.find('site', 'news.example');
    assert.deepEqual(asked, [subject, subject]);
  });

  for (const part of ['news.example\tssp.example', 'x'.repeat(3000)]) {
    test(`what nobody can publish is asked of nobody: ${JSON.stringify(part).slice(0, 30)}`, () => {
      const { asked, crawled } = open();
      assert.equal(crawled.find('sellers.json', part, 'a1'), 'no');
      assert.deepEqual(asked, []);
    });
  }
});
