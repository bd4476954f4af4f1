import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { stateVersion } from '../../src/store/state-version.ts';

/** A database whose commits the test makes: our own, and those of others that only the database knows of. */
function trial() {
  const database = { own: 0, others: 0, asked: 0 };
  const { version } = stateVersion(
    {
      version: () => {
        database.asked += 1;
        return database.others;
      },
    },
    () => database.own,
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

  test('is another one in the next turn of the event loop after a commit of another process', async () => {
    const { database, version } = trial();
    await turn();
    const before = version();
    database.others += 1;
    await turn();
    assert.notEqual(version(), before);
  });

  test('asks the database once a turn', async () => {
    const { database, version } = trial();
    await turn();
    const before = database.asked;
    for (let request = 0; request < 100; request += 1) version();
    assert.equal(database.asked, before + 1);
    await turn();
    version();
    assert.equal(database.asked, before + 2);
  });

  test('is not there where the database cannot tell', () => {
    assert.deepEqual(
      stateVersion({}, () => 0),
      {},
    );
  });
});
