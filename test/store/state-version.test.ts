import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stateVersion } from '../../src/store/writes/state-version.ts';

/** A database whose commits the test makes: our own, and those of others that only the database knows of. */
function trial() {
  const database = { own: 0, others: 0, asked: 0, nowMs: 0 };
  const { version } = stateVersion(
    {
      version: () => {
        database.asked += 1;
        return database.others;
      },
    },
    () => database.own,
    () => database.nowMs,
  );
  assert.ok(version);
  return { database, version };
}

describe('the version of a state', () => {
  test('is another one at once after a commit of this process', () => {
    const { database, version } = trial();
    const before = version();
    database.own += 1;
    const after = version();
    assert.notEqual(after, before);
    assert.equal(version(), after);
  });

  test('is another one a millisecond after a commit of another process', () => {
    const { database, version } = trial();
    const before = version();
    database.others += 1;
    database.nowMs += 1;
    assert.notEqual(version(), before);
  });

  test('asks the database once a millisecond', () => {
    const { database, version } = trial();
    const before = database.asked;
    for (const ms of [0.2, 0.9, 1, 1.5, 1.9, 2.1]) {
      database.nowMs = ms;
      version();
    }
    assert.equal(database.asked, before + 2);
  });

  test('is not there where the database cannot tell', () => {
    assert.deepEqual(
      stateVersion({}, () => 0),
      {},
    );
  });
});
