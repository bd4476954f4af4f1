import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { popForms } from '../../../src/protocols/pop/build-pop-answer.ts';
import { readPopAnswer } from '../../../src/protocols/pop/read-pop-answer.ts';
import { seeded } from '../../support/seed.ts';
import { hostileText } from '../vast/hostile-text.ts';

const ad = { title: '', description: '', price: 0.5, target: 'https://a.example/x', adDomain: 'a.example' };

describe('shapes that feeds have', () => {
  const one: readonly (readonly [name: string, text: string])[] = [
    ['record', '<result><record><bid>0.5</bid><click>https://a.example/x</click></record></result>'],
    ['capitals and underscores', '<Results><Ad><Bid_Price>0.5</Bid_Price><Click_URL>https://a.example/x</Click_URL></Ad></Results>'],
    ['attributes', '<r><listing BID="0.5" redirect="https://a.example/x"/></r>'],
    ['a namespace', '<f:feed xmlns:f="urn:f"><f:ad><f:cpc>.5</f:cpc><f:url>https://a.example/x</f:url></f:ad></f:feed>'],
    ['space around', '\uFEFF \n<ad><price> 0.50 </price><link>\n https://a.example/x \n</link></ad>'.replace('\uFEFF', '')],
    ['a bare object', '{"bid":0.5,"url":"https://a.example/x"}'],
    ['an array', '[{"bid":"5e-1","redirect_url":"https://a.example/x"}]'],
    ['a wrapped object', '{"result":{"listing":{"cpc":0.5,"clickUrl":"https://a.example/x"}}}'],
    ['a bid that is an ID', '{"bid":"a-12","price":0.5,"url":"https://a.example/x"}'],
    ['a click that is a number', '{"bid":0.5,"click":12,"url":"https://a.example/x"}'],
  ]; // biome-ignore format: a table
  for (const [name, text] of one) {
    test(name, () => assert.deepEqual(readPopAnswer(text), [ad]));
  }

  const faults: readonly (readonly [text: string, fault: string])[] = [
    ['', 'empty'], [' \n', 'empty'], ['{}', 'empty'], ['[]', 'empty'], ['null', 'empty'], ['<result/>', 'empty'],
    ['nothing', 'malformed'], ['{"bid":', 'malformed'], ['<a><b></a>', 'malformed'], ['<!DOCTYPE a><a/>', 'malformed'],
    ['{"bid":1}', 'no_url'], ['{"bid":1,"url":"ftp://a.example/"}', 'no_url'], ['{"bid":1,"url":"/x"}', 'no_url'],
    ['{"bid":1,"url":"https://[x/"}', 'no_url'], ['{"bid":1,"url":"data:text/html,x"}', 'no_url'],
    ['{"url":"https://a.example/"}', 'no_price'], ['{"bid":"$1","url":"https://a.example/"}', 'no_price'],
    ['{"bid":"0x10","url":"https://a.example/"}', 'no_price'],
  ]; // biome-ignore format: a table
  for (const [text, fault] of faults) {
    test(`${JSON.stringify(text)} is ${fault}`, () => assert.equal(readPopAnswer(text), fault));
  }

  test('the click leads, and the URL is shown', () => {
    const text =
      '{"bid":0.5,"url":"https://shown.example/","click":"https://a.example/x","title":"T","desc":"D"}';
    const shown = { ...ad, title: 'T', description: 'D', adDomain: 'shown.example' };
    assert.deepEqual(readPopAnswer(text), [shown]);
  });
});

const fragment = fc.oneof(
  hostileText,
  fc.constantFrom(
    ...[
      '<result>',
      '</result>',
      '<record>',
      '</record>',
      '<bid>',
      '</bid>',
      '<url>',
      '</url>',
      '1',
      'https://a.example/',
    ],
    ...[
      '{"',
      '":',
      '"',
      ',',
      '}',
      '[',
      ']',
      '"bid"',
      '"url"',
      '"https://a.example/"',
      '<ad bid="1" url="https://a"/>',
    ],
  ),
);

test('whatever is read never throws, and leads to http or https alone, in plain ASCII', () => {
  const text = fc.array(fragment, { maxLength: 20, size: 'max' }).map((parts) => parts.join(''));
  const object = fc.object({
    key: fc.constantFrom('bid', 'url', 'click', 'ads', 'result', 'price'),
    maxDepth: 4,
  });
  const known = fc.record({
    bid: fc.oneof(fc.double(), hostileText),
    url: fc.oneof(fc.webUrl(), hostileText),
  });
  const answer = fc.oneof(
    text,
    fc.oneof(object, known).map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(answer, (body) => {
      const read = readPopAnswer(body);
      if (typeof read === 'string') return;
      assert.ok(read.length > 0);
      for (const { target, price } of read) {
        assert.match(target, /^https?:\/\/[\x21-\x7e]+$/);
        assert.equal(typeof price, 'number');
      }
    }),
    seeded(2000),
  );
});

test('what we build we read, in both forms', () => {
  const values = fc.record({
    title: hostileText,
    description: hostileText,
    click: fc.webUrl(),
    url: fc.constant('https://shown.example/'),
    bid: fc.constantFrom('0.5', '0.000000001', '12'),
  });
  fc.assert(
    fc.property(values, fc.constantFrom('xml', 'json'), (answer, form) => {
      const read = readPopAnswer(popForms[form].build(answer));
      assert.ok(typeof read !== 'string', String(read));
      assert.equal(read.length, 1);
      const [record] = read;
      assert.deepEqual(
        [record?.price, record?.target, record?.adDomain],
        [Number(answer.bid), new URL(answer.click).href, 'shown.example'],
      );
    }),
    seeded(500),
  );
});
