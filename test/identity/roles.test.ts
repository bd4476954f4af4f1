import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import { hasRight, type Right, requireRight } from '../../src/identity/roles.ts';
import { roles } from '../../src/reference/roles.ts';

const table: readonly { role: number; rights: Readonly<Record<Right, boolean>> }[] = [
  {
    role: 0,
    rights: { own: true, read: true, write: true, manage_users: true, portal: false, serve: false },
  },
  {
    role: 1,
    rights: { own: true, read: true, write: true, manage_users: false, portal: false, serve: false },
  },
  {
    role: 2,
    rights: { own: true, read: true, write: false, manage_users: false, portal: false, serve: false },
  },
  {
    role: 3,
    rights: { own: true, read: false, write: false, manage_users: false, portal: true, serve: false },
  },
  {
    role: 4,
    rights: { own: false, read: false, write: false, manage_users: false, portal: false, serve: true },
  },
  {
    role: 5,
    rights: { own: false, read: false, write: false, manage_users: false, portal: false, serve: false },
  },
];

describe('decision A5', () => {
  for (const { role, rights } of table) {
    for (const [right, allowed] of Object.entries(rights) as [Right, boolean][]) {
      test(`role ${role} ${allowed ? 'may' : 'may not'} ${right}`, () => {
        assert.equal(hasRight(role, right), allowed);
        const demand = () => requireRight({ role }, right);
        if (allowed) demand();
        else assert.throws(demand, (error) => error instanceof Refusal && error.code === 'forbidden');
      });
    }
  }

  test('every role of the reference list has its row', () => {
    assert.deepEqual(
      roles.map(({ Id }) => Id),
      table.filter(({ rights }) => rights.own).map(({ role }) => role),
    );
  });
});
