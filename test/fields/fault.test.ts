import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type Fault, invalid, pathOf } from '../../src/fields/fault.ts';
import { seeded } from '../support/seed.ts';

suite('paths of faults', () => {
  const rows: readonly (readonly [parts: readonly (string | number)[], path: string])[] = [
    [[], ''],
    [['VastTag'], 'VastTag'],
    [['VastTag', 'Countries', 1, 'CC'], 'VastTag.Countries[1].CC'],
    [['VastTag', 'Os', 0, 'Versions', 12, 'Major'], 'VastTag.Os[0].Versions[12].Major'],
    [['A', 0, 1], 'A[0][1]'],
    [[0, 'A'], '[0].A'],
    [['', 'Name'], 'Name'],
    [['DspRtbEp.CustomParams', 'imp.tagid'], 'DspRtbEp.CustomParams.imp.tagid'],
  ];
  for (const [parts, path] of rows) {
    test(`${JSON.stringify(parts)} is ${JSON.stringify(path)}`, () => assert.equal(pathOf(...parts), path));
  }

  const name = fc.stringMatching(/^[A-Za-z_]\w{0,8}$/);
  const parts = fc.tuple(name, fc.array(fc.oneof(name, fc.nat()))).map(([first, rest]) => [first, ...rest]);

  test('can be taken apart again', () => {
    fc.assert(
      fc.property(parts, (sent) => {
        const found = pathOf(...sent).matchAll(/\[(\d+)\]|\.?(\w+)/g);
        assert.deepEqual(
          Array.from(found, ([, index, member]) => member ?? Number(index)),
          sent,
        );
      }),
      seeded(1000),
    );
  });

  test('can be built from the outside in', () => {
    fc.assert(
      fc.property(parts, fc.nat({ max: 10 }), (sent, at) => {
        const from = Math.min(at, sent.length);
        assert.equal(pathOf(pathOf(...sent.slice(0, from)), ...sent.slice(from)), pathOf(...sent));
      }),
      seeded(1000),
    );
  });
});

suite('a refusal of faults', () => {
  const fault = (Path: string, Message: string): Fault => ({ Path, Code: 'required', Message });

  test('tells each behind its path, in one readable text', () => {
    const faults = [fault('VastTag.Name', 'is required'), fault('', 'the body is no object')];
    const refusal = invalid(faults);
    assert.equal(refusal.code, 'invalid');
    assert.equal(refusal.message, 'VastTag.Name is required; the body is no object');
    assert.deepEqual(refusal.faults, faults);
  });

  test('tells the first thousand, and how many more were found', () => {
    const faults = Array.from({ length: 1003 }, (_, index) => fault(pathOf('A', index), 'is required'));
    const refusal = invalid(faults);
    assert.deepEqual(refusal.faults, faults.slice(0, 1000));
    assert.match(refusal.message, /A\[999\] is required; and at least 3 more$/);
    assert.doesNotMatch(invalid(faults.slice(0, 1000)).message, / more/);
  });

  test('repeats no more of a path than its first 2,048 characters', () => {
    const [short, long] = ['x'.repeat(2048), 'x'.repeat(2049)];
    const refusal = invalid([fault(short, 'is required'), fault(long, 'is required')]);
    assert.deepEqual(
      refusal.faults.map(({ Path }) => Path),
      [short, `${short}…`],
    );
    assert.equal(refusal.message, `${short} is required; ${short}… is required`);
  });
});
