import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleOf } from '../../src/sending/schedule.ts';
import { signatureOf } from '../../src/sending/signature.ts';

/** When a report was due last, at a time: `Schedule` 1 = every day, 2 = every Monday, 3 = on the first. */
const cases: readonly (readonly [
  schedule: number,
  hour: number,
  zone: string,
  now: string,
  lastDue: string,
])[] = [
  [1, 7, '', '2026-11-23T07:00:00Z', '2026-11-23T07:00:00Z'],
  [1, 7, 'UTC', '2026-11-23T06:59:59Z', '2026-11-22T07:00:00Z'],
  [1, 0, 'Asia/Kathmandu', '2026-11-23T18:15:00Z', '2026-11-23T18:15:00Z'],
  [1, 23, 'America/New_York', '2026-11-23T03:00:00Z', '2026-11-22T04:00:00Z'],
  // The hour that is skipped comes late, the one that comes twice counts once.
  [1, 2, 'Europe/Berlin', '2027-03-28T12:00:00Z', '2027-03-28T01:00:00Z'],
  [1, 2, 'Europe/Berlin', '2027-10-31T01:30:00Z', '2027-10-31T00:00:00Z'],
  [2, 8, 'UTC', '2026-11-29T23:00:00Z', '2026-11-23T08:00:00Z'],
  [2, 8, 'UTC', '2026-11-23T07:00:00Z', '2026-11-16T08:00:00Z'],
  [3, 6, 'Europe/Berlin', '2026-11-01T04:59:59Z', '2026-10-01T04:00:00Z'],
  [3, 6, 'Europe/Berlin', '2026-11-01T05:00:00Z', '2026-11-01T05:00:00Z'],
];

for (const [Schedule, ScheduleHour, TimeZone, now, lastDue] of cases) {
  test(`at ${now} a report of ${Schedule} at ${ScheduleHour} in ${TimeZone || 'UTC'} was due at ${lastDue}`, () => {
    const found = scheduleOf({ Schedule, ScheduleHour, TimeZone })?.lastDue(Date.parse(now));
    assert.equal(new Date(found ?? 0).toISOString(), new Date(lastDue).toISOString());
  });
}

test('a report without a schedule is never due', () => assert.equal(scheduleOf({ Schedule: 0 }), undefined));

test('signatures are those of Standard Webhooks, by its published example', () => {
  const signed = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  const signature = signatureOf('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signed);
  assert.equal(signature, 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});
