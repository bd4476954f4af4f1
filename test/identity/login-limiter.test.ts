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

const ada: Attempt = { kind: 'login', mail: 'ada@example.com', address: '192.0.2.1' };
const eve: Attempt = { kind: 'login', mail: 'eve@example.com', address: '192.0.2.66' };
const from = (address: string): Attempt => ({ kind: 'login', mail: `someone-${address}`, address });
const code: Attempt = { ...ada, kind: 'code' };
const knownNetwork = { browser: undefined };
const minuteMs = 60_000;
/** A try for ada from each of some networks that are all others. */
const elsewhere = (times: number, atMs = 0) =>
  Array.from({ length: times }, (_, index) => ({
    atMs,
    times: 1,
    attempt: { ...ada, address: `198.51.100.${index}` },
  }));
/** The same in each of some hours. */
const hourly = (attempt: Attempt, times: number, hours: number) =>
  Array.from({ length: hours }, (_, hour) => once(attempt, times, hour * 60 * minuteMs)).flat();
const once = (attempt: Attempt, times: number, atMs = 0) => [{ atMs, times, attempt }];

const cases: readonly Case[] = [
  { about: 'nothing has failed', failures: [], attempt: ada, atMs: 0, waits: undefined },
  { about: 'nine failures', failures: once(ada, 9), attempt: ada, atMs: 0, waits: undefined },
  { about: 'ten failures', failures: once(ada, 10), attempt: ada, atMs: 0, waits: 60 },
  { about: 'more than ten', failures: once(ada, 15), attempt: ada, atMs: 1000, waits: 59 },
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
    attempt: { kind: 'login', mail: 'ADA@Example.COM', address: '198.51.100.9' },
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
  {
    about: 'the mail from ten others, from nowhere known',
    failures: elsewhere(10),
    attempt: ada,
    atMs: 0,
    waits: 60,
  },
  {
    about: 'the mail from many others, from a known network',
    failures: elsewhere(200),
    attempt: { ...ada, knownBy: knownNetwork },
    atMs: 0,
    waits: undefined,
  },
  {
    about: 'the mail from many others, from a known browser',
    failures: elsewhere(200),
    attempt: { ...ada, knownBy: { browser: 'b' } },
    atMs: 0,
    waits: undefined,
  },
  {
    about: 'from a known network itself',
    failures: once({ ...ada, knownBy: knownNetwork }, 10),
    attempt: { ...ada, knownBy: knownNetwork },
    atMs: 0,
    waits: 60,
  },
  {
    about: 'from a known browser in other networks',
    failures: once({ ...ada, address: '198.51.100.7', knownBy: { browser: 'b' } }, 10),
    attempt: { ...ada, knownBy: { browser: 'b' } },
    atMs: 0,
    waits: 60,
  },
  {
    about: 'the mail from others, twice in an hour: the wait grows',
    failures: [...elsewhere(10), ...elsewhere(10, minuteMs)],
    attempt: ada,
    atMs: 2 * minuteMs,
    waits: 58 * 60,
  },
  {
    about: 'logins from elsewhere, and the password of a session',
    failures: elsewhere(200),
    attempt: { ...ada, kind: 'session' },
    atMs: 0,
    waits: undefined,
  },
  { about: 'four wrong codes', failures: once(code, 4), attempt: code, atMs: 0, waits: undefined },
  { about: 'five wrong codes', failures: once(code, 5), attempt: code, atMs: 0, waits: 60 },
  {
    about: 'five wrong codes, and a password',
    failures: once(code, 5),
    attempt: ada,
    atMs: 0,
    waits: undefined,
  },
  {
    about: 'ten wrong codes in an hour',
    failures: [...once(code, 5), ...once(code, 5, minuteMs)],
    attempt: code,
    atMs: 2 * minuteMs,
    waits: 58 * 60,
  },
  {
    about: 'twenty wrong codes in a day',
    failures: hourly(code, 4, 5),
    attempt: code,
    atMs: 5 * 60 * minuteMs,
    waits: 19 * 3600,
  },
  {
    about: 'codes of another who knows the password, from a known network',
    failures: hourly({ ...code, address: '198.51.100.7' }, 4, 5),
    attempt: { ...code, knownBy: knownNetwork },
    atMs: 5 * 60 * minuteMs,
    waits: undefined,
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
    about: 'the same IPv4 address, written as IPv6',
    failures: once(from('::ffff:192.0.2.1'), 10),
    attempt: from('192.0.2.1'),
    atMs: 0,
    waits: 60,
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

  test('a right code ends the wait of the codes before, and not that of others', () => {
    const limiter = createLoginLimiter({ now: () => 0 });
    const other: Attempt = { ...code, address: '198.51.100.7' };
    for (let time = 0; time < 4; time += 1) limiter.fail(other);
    const known: Attempt = { ...code, knownBy: knownNetwork };
    for (let round = 0; round < 2; round += 1) {
      for (let time = 0; time < 4; time += 1) limiter.fail(known);
      limiter.check(known);
      limiter.succeed(known);
    }
    limiter.fail(other);
    assert.equal(limiter.isUserLimited(other), true);
    assert.throws(() => limiter.check(other), Refusal);
  });

  test('of more names than it keeps in mind, the longest silent is forgotten', () => {
    let nowMs = 0;
    const limiter = createLoginLimiter({ now: () => nowMs });
    const fail = (attempt: Attempt, times: number) => {
      for (let time = 0; time < times; time += 1) limiter.fail(attempt);
    };
    fail(ada, 9);
    fail(eve, 10);
    for (let other = 0; other < 33_333; other += 1) {
      nowMs = other / 1000;
      limiter.fail({ kind: 'login', mail: `mail-${other}`, address: `address-${other}` });
      if (other === 30_000) limiter.fail(ada);
    }
    limiter.check(eve);
    assert.throws(() => limiter.check(ada), Refusal);
  });
});
