import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import { type Attempt, createLoginLimiter } from '../../src/identity/login-limiter.ts';

/** What happens in turn: failures of one name at a time, then whether an attempt is let through. */
interface Case {
  readonly about: string;
  readonly failures: readonly { readonly atMs: number; readonly times: number; readonly attempt: Attempt }[];
  readonly attempt: Attempt;
  readonly atMs: number;
  /** Seconds to wait; undefined = let through. */
  readonly waits: number | undefined;
}

const ada: Attempt = { mail: 'ada@example.com', address: '192.0.2.1' };
const eve: Attempt = { mail: 'eve@example.com', address: '192.0.2.66' };
const from = (address: string): Attempt => ({ mail: `someone-${address}`, address });
const once = (attempt: Attempt, times: number, atMs = 0) => [{ atMs, times, attempt }];

const cases: readonly Case[] = [
  { about: 'nothing has failed', failures: [], attempt: ada, atMs: 0, waits: undefined },
  { about: 'nine failures', failures: once(ada, 9), attempt: ada, atMs: 0, waits: undefined },
  { about: 'ten failures', failures: once(ada, 10), attempt: ada, atMs: 0, waits: 60 },
  { about: 'more than ten', failures: once(ada, 25), attempt: ada, atMs: 1000, waits: 59 },
  { about: 'a minute less a millisecond', failures: once(ada, 10), attempt: ada, atMs: 59_999, waits: 1 },
  { about: 'a minute', failures: once(ada, 10), attempt: ada, atMs: 60_000, waits: undefined },
  {
    about: 'failures over more than a minute',
    failures: [...once(ada, 5), ...once(ada, 5, 30_000)],
    attempt: ada,
    atMs: 61_000,
    waits: undefined,
  },
  {
    about: 'the first of ten counts until its minute is over',
    failures: [...once(ada, 1), ...once(ada, 9, 30_000)],
    attempt: ada,
    atMs: 40_000,
    waits: 20,
  },
  {
    about: 'the mail from elsewhere',
    failures: once(ada, 10),
    attempt: { ...ada, address: '198.51.100.9' },
    atMs: 0,
    waits: 60,
  },
  {
    about: 'the mail in another case',
    failures: once(ada, 10),
    attempt: { mail: 'ADA@Example.COM', address: '198.51.100.9' },
    atMs: 0,
    waits: 60,
  },
  {
    about: 'another mail from the address',
    failures: once(ada, 10),
    attempt: { ...ada, mail: 'eve@example.com' },
    atMs: 0,
    waits: 60,
  },
  { about: 'another mail and address', failures: once(ada, 10), attempt: eve, atMs: 0, waits: undefined },
  {
    about: 'the same IPv6 network',
    failures: once(from('2001:db8:0:1::5'), 10),
    attempt: from('2001:db8::1:aaaa:bbbb:cccc:dddd'),
    atMs: 0,
    waits: 60,
  },
  {
    about: 'the neighbouring IPv6 network',
    failures: once(from('2001:db8:0:1::5'), 10),
    attempt: from('2001:db8:0:2::5'),
    atMs: 0,
    waits: undefined,
  },
  {
    about: 'another IPv4 address, written as IPv6',
    failures: once(from('::ffff:192.0.2.1'), 10),
    attempt: from('::ffff:192.0.2.2'),
    atMs: 0,
    waits: undefined,
  },
];

describe('logins are limited', () => {
  for (const { about, failures, attempt, atMs, waits } of cases) {
    test(`${about}: ${waits === undefined ? 'let through' : `wait ${waits} s`}`, () => {
      let nowMs = 0;
      const limiter = createLoginLimiter({ now: () => nowMs });
      for (const failure of failures) {
        nowMs = failure.atMs;
        for (let time = 0; time < failure.times; time += 1) limiter.fail(failure.attempt);
      }
      nowMs = atMs;
      if (waits === undefined) {
        limiter.check(attempt);
        return;
      }
      assert.throws(
        () => limiter.check(attempt),
        (error) => error instanceof Refusal && error.code === 'too_many' && error.retryAfterSeconds === waits,
      );
    });
  }

  test('of more names than it keeps in mind, the longest silent is forgotten', () => {
    let nowMs = 0;
    const limiter = createLoginLimiter({ now: () => nowMs });
    const fail = (attempt: Attempt, times: number) => {
      for (let time = 0; time < times; time += 1) limiter.fail(attempt);
    };
    fail(ada, 9);
    fail(eve, 10);
    for (let other = 0; other < 49_999; other += 1) {
      nowMs = other / 1000;
      limiter.fail({ mail: `mail-${other}`, address: `address-${other}` });
      if (other === 40_000) limiter.fail(ada);
    }
    limiter.check(eve);
    assert.throws(() => limiter.check(ada), Refusal);
  });
});
