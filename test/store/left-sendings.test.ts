import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { sendingJobKind } from '../../src/store/sending/interface.ts';
import { rawEngines } from './raw-engines.ts';

const dueMs = Date.parse('2027-03-01T12:00:00Z');
const minuteMs = 60_000;
const rules = { name: sendingJobKind, claimMs: minuteMs };
const sending = { teamId: 1, entity: 'Report', objectId: 7 } as const;

/** As the version before adds one, which has tried it twice; and what that version would send now. */
const added = `insert into sending (team_id, entity, object_id, due, channel, target, state, attempts, next_at, last_at,
  claimed_until, claimed_by, error) values (1, 'Report', 7, ${dueMs}, 'mail', 'a@desk.example', 'waiting', 2, ${dueMs},
  null, 0, '', 'away')`;
const claimable = (ms: number) =>
  `select target from sending where state = 'waiting' and next_at <= ${ms} and claimed_until <= ${ms} order by target`;

for (const { name, fresh, run } of rawEngines()) {
  test(`on ${name}, of two versions each sends its own, and in the end what the other has left`, async () => {
    const url = await fresh();
    const { sending: sendings, jobs, close } = await openConfiguredStore(url);
    const to = [{ channel: 'mail', target: 'b@desk.example' }] as const;
    await sendings.add({ ...sending, dueMs, to });
    await run(url, [added]);
    const ofBefore = async (minute: number) =>
      (await run(url, [claimable(dueMs + minute * minuteMs)])).map(({ target }) => target);
    const targetsAt = async (minute: number) => {
      const nowMs = dueMs + minute * minuteMs;
      await sendings.adopt(nowMs);
      const claimed = [await jobs.claim(rules, 'one', nowMs), await jobs.claim(rules, 'one', nowMs)];
      const waiting = await Promise.all(claimed.map((job) => job && sendings.waiting(job)));
      return waiting.map((one) => one && [one.target, one.attempts]);
    };
    assert.deepEqual(await targetsAt(9), [['b@desk.example', 0], undefined]);
    assert.deepEqual(await ofBefore(59), ['a@desk.example']);
    assert.deepEqual(await ofBefore(60), ['a@desk.example', 'b@desk.example']);
    assert.deepEqual(await targetsAt(10), [['b@desk.example', 0], ['a@desk.example', 2]]); // biome-ignore format: rows
    // The version before has sent it meanwhile.
    await run(url, ["update sending set state = 'sent' where target = 'a@desk.example'"]);
    const left = await jobs.claim(rules, 'two', dueMs + 12 * minuteMs);
    const also = await jobs.claim(rules, 'two', dueMs + 12 * minuteMs);
    assert.ok(left && also);
    assert.deepEqual([(await sendings.waiting(left))?.target, await sendings.waiting(also)], ['b@desk.example', undefined]); // biome-ignore format: one line
    const ended = { state: 'sent', attempts: 1, lastMs: dueMs, nextMs: dueMs, error: '' } as const;
    await sendings.finish(left, ended);
    assert.equal(await jobs.claim(rules, 'three', dueMs + 14 * minuteMs).then((job) => job?.key), also.key);
    await close();
  });
}
