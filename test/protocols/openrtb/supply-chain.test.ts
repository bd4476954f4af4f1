import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { appendNode, readSupplyChain } from '../../../src/protocols/openrtb/supply-chain.ts';

const node = { asi: 'ssp.example', sid: '7', hp: 1 };
const chain = { ver: '1.0', complete: 1, nodes: [node] } as const;

const read: readonly (readonly [name: string, raw: unknown, chain: unknown])[] = [
  ['a whole one', chain, chain],
  ['version and flag left out', { nodes: [node] }, { ver: '1.0', complete: 0, nodes: [node] }],
  [
    '`hp` left out',
    { ...chain, nodes: [{ asi: 'a', sid: 'b' }] },
    { ...chain, nodes: [{ asi: 'a', sid: 'b', hp: 1 }] },
  ],
  ['`hp` 0', { ...chain, nodes: [{ ...node, hp: 0 }] }, { ...chain, nodes: [{ ...node, hp: 0 }] }],
  [
    'all members, and one unknown',
    {
      ...chain,
      ext: { a: 1 },
      nodes: [{ ...node, rid: 'r', name: 'n', domain: 'd', ext: { b: 2 }, foo: 3 }],
    },
    { ...chain, ext: { a: 1 }, nodes: [{ ...node, rid: 'r', name: 'n', domain: 'd', ext: { b: 2 } }] },
  ],
  ['complete neither 0 nor 1', { ...chain, complete: '1' }, { ...chain, complete: 0 }],
  ['nothing', undefined, undefined],
  ['a text', '1.0,1!ssp.example,7,1', undefined],
  ['no nodes', { ...chain, nodes: [] }, undefined],
  ['nodes of another type', { ...chain, nodes: {} }, undefined],
  ['a node without seller', { ...chain, nodes: [node, { asi: 'a' }] }, undefined],
  ['a node with a number for a seller', { ...chain, nodes: [{ asi: 'a', sid: 7 }] }, undefined],
  ['null among nodes', { ...chain, nodes: [null] }, undefined],
];

describe('a supply chain', () => {
  for (const [name, raw, expected] of read) {
    test(`with ${name} is ${expected === undefined ? 'none' : 'read'}`, () => {
      assert.deepEqual(readSupplyChain(raw), expected);
    });
  }

  test('begins incomplete', () => {
    assert.deepEqual(appendNode(undefined, node), { ver: '1.0', complete: 0, nodes: [node] });
  });

  test('grows at its end, as complete as it was', () => {
    const ours = { asi: 'x.example', sid: '9' };
    assert.deepEqual(appendNode(chain, ours), { ...chain, nodes: [node, ours] });
    assert.equal(appendNode({ ...chain, complete: 0 }, ours).complete, 0);
    assert.equal(chain.nodes.length, 1);
  });
});
