import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Type } from 'typebox';
import { readJsonBody } from '../../src/management/input/json-body.ts';
import { compileCheck } from '../../src/management/input/validation.ts';

const closed = { additionalProperties: false };
const numbers = (maxItems: number) => Type.Array(Type.Integer({ minimum: 0 }), { maxItems });
const version = Type.Object({ Major: Type.String() }, closed);
const schema = Type.Object(
  {
    Few: Type.Optional(numbers(10)),
    Many: Type.Optional(numbers(100_000)),
    Os: Type.Optional(
      Type.Array(Type.Object({ Versions: Type.Array(version, { maxItems: 5000 }) }, closed), {
        maxItems: 50,
      }),
    ),
    Params: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  closed,
);
const check = compileCheck(schema);

const times = (count: number, item: unknown) => new Array<unknown>(count).fill(item);
const wrongVersions = { Versions: times(3000, { Major: 1 }) };

/** What is sent, how many faults are found in it, and the paths of the first ones. */
const cases: readonly (readonly [string, unknown, number, readonly string[]])[] = [
  ['an item that is wrong', { Many: [1, -1, 2, 'x'] }, 2, ['A.Many[1]', 'A.Many[3]']],
  ['the last item of many', { Many: [...times(99_999, 1), -1] }, 1, ['A.Many[99999]']],
  ['as many wrong items as are told', { Many: times(1000, -1) }, 1000, ['A.Many[0]', 'A.Many[1]']],
  ['more wrong items than are told', { Many: times(90_000, -1) }, 1001, ['A.Many[0]', 'A.Many[1]']],
  ['more items than there may be', { Few: times(400_000, -1) }, 1, ['A.Few']],
  ['such a list beside another fault', { Few: times(11, -1), Many: [-1] }, 2, ['A.Few', 'A.Many[0]']],
  [
    'a wrong item within an item',
    { Os: [{ Versions: [{ Major: '1' }, {}] }] },
    1,
    ['A.Os[0].Versions[1].Major'],
  ],
  ['many of them', { Os: times(40, wrongVersions) }, 1001, ['A.Os[0].Versions[0].Major']],
  ['a field that nobody knows', { Foo: times(400_000, '\0') }, 1, ['A.Foo']],
  ['texts that cannot be stored', { Foo: times(50_000, '\0') }, 1002, ['A.Foo', 'A.Foo[0]']],
];

suite('a check', () => {
  for (const [name, value, count, first] of cases) {
    test(`finds ${name}, and no more than is told`, () => {
      const faults = check(value, 'A');
      assert.equal(faults.length, count);
      assert.deepEqual(
        faults.slice(0, first.length).map(({ Path }) => Path),
        first,
      );
    });
  }

  test('refuses an object within with more members than any may have, without looking at them', () => {
    const Params = Object.fromEntries(times(10_001, 0).map((value, index) => [`p${index}`, value]));
    assert.throws(() => check({ Params }, 'A'), { message: 'A.Params must have at most 10000 members' });
  });

  test('calls a number that is out of range what it is', () => {
    const [fault] = check({ Many: [Number.POSITIVE_INFINITY] }, 'A');
    assert.equal(fault?.Message, 'must be an integer, not a number that is out of range');
  });
});

test('of names that an object has twice, no more are noted than are told', () => {
  const body = (count: number) => Buffer.from(`{"Tag":{${'"u":0,'.repeat(count)}"Name":"x"}}`);
  assert.equal(readJsonBody(body(1001)).faults.length, 1000);
  assert.equal(readJsonBody(body(90_000)).faults.length, 1001);
});
