import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ViewerConsent } from '../../../src/exchange/consent/viewer-consent.ts';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import type { Limits } from '../../../src/exchange/limits/limits.ts';
import type { Promised, PromisedIn } from '../../../src/exchange/limits/promised.ts';
import { isRefusal } from '../../../src/exchange/reasons.ts';
import type { Limited } from '../../../src/exchange/snapshot/limited.ts';
import { createViewerHash, viewerIn } from '../../../src/exchange/viewer-hash.ts';
import { activities } from '../../../src/reference/activities.ts';
import { frequencyCapMax, frequencyHoursMax, frequencyKeys } from '../../../src/reference/frequency.ts';
import { seeded } from '../../support/seed.ts';
import { opportunityWith } from '../unrestricted.ts';
import { auctionAt, limited, midnightMs, smallSize } from './limited.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const keyring = () => [{ id: 0, secret: Buffer.from('a secret'), fromMs: 0 }];
const hashViewer = createViewerHash(keyring);

interface Somebody {
  readonly user: string;
  readonly ifa: string;
  readonly ip: number;
  readonly permits: boolean;
}
const withheld = (permits: boolean): Pick<ViewerConsent, 'withheldHere'> => ({
  withheldHere: () => (permits ? 0 : activities.sync),
});

function auctionOf({ user, ifa, ip, permits }: Somebody, timeMs: number, to: PromisedIn['to'] = 'ad') {
  const bytes = Uint8Array.from([203, 0, 113, ip]);
  const address = { text: bytes.join('.'), version: 4, bytes } as const;
  const opportunity = opportunityWith({ timeMs, userId: user, device: { ifa }, ip: address });
  return { ...auctionAt(timeMs, to, address), viewer: hashViewer(opportunity, withheld(permits)) };
}

/** By whom an object tells viewers apart, as anybody would say it; undefined = nobody. */
function nameOf(key: number, { user, ifa, ip, permits }: Somebody): string | undefined {
  if (key === frequencyKeys.address) return String(ip);
  const id = key === frequencyKeys.user ? user : ifa.toLowerCase();
  return permits && id !== '' && !/^[0-]+$/.test(id) ? id : undefined;
}

interface Step {
  readonly who: Somebody;
  readonly gapMs: number;
  readonly to: PromisedIn['to'];
  readonly fate: 'shown' | 'withdrawn' | 'never';
  readonly delay: number;
  readonly restarts: boolean;
  /** Which process has the auction. */
  readonly at: number;
}
const somebody = fc.record<Somebody>({
  user: fc.constantFrom('ada', 'ada', 'eve', '', '0'),
  ifa: fc.constantFrom('AB-1', 'ab-1', 'ab-2', '', '00000000-0000'),
  ip: fc.constantFrom(1, 2),
  permits: fc.constantFrom(true, true, true, false),
});
const steps = fc.array(
  fc.record<Step>({
    who: somebody,
    gapMs: fc.oneof(fc.integer({ min: 0, max: 20 * minuteMs }), fc.integer({ min: 0, max: 30 * hourMs })),
    to: fc.constantFrom('ad', 'ad', 'offer'),
    fate: fc.constantFrom('shown', 'shown', 'shown', 'withdrawn', 'never'),
    delay: fc.double({ min: 0, max: 0.99, noNaN: true }),
    restarts: fc.nat(14).map((n) => n === 0),
    at: fc.nat(5),
  }),
  { minLength: 20, maxLength: 120, size: 'max' },
);
const settings = fc.record({
  frequencyCap: fc.constantFrom(0, 1, 2, 3, 20, frequencyCapMax),
  frequencyHours: fc.constantFrom(0, 1, 2, 24, 100),
  frequencyMinMinutes: fc.constantFrom(0, 0, 1, 30, 600),
  frequencyKey: fc.constantFrom(0, 1, 2),
  frequencyUnknown: fc.constantFrom(0, 1),
});
type Settings = typeof settings extends fc.Arbitrary<infer Value> ? Value : never;

interface Made {
  readonly auction: PromisedIn;
  readonly promised: Promised;
  readonly name: string;
  readonly atMs: number;
  readonly fate: Step['fate'];
  /** By whom. */
  readonly at: number;
  state: 'open' | 'shown' | 'withdrawn';
}

const windowOf = ({ frequencyHours }: Settings) => (frequencyHours || frequencyHoursMax) * hourMs;
/** What is promised may come for so long, and is held three minutes more. */
const standsMs = ({ to }: PromisedIn) => (to === 'ad' ? 15 : 5) * minuteMs;

/** No viewer has seen more in any window, nor two at once, of what one process has handed out. */
function assertWithin(wanted: Settings, made: readonly Made[]): void {
  const shown = made.filter(({ state }) => state === 'shown');
  for (const [name, ofViewer] of Map.groupBy(shown, (one) => `${one.name} at ${one.at}`)) {
    const times = ofViewer.map(({ atMs }) => atMs).sort((a, b) => a - b);
    for (const [index, atMs] of times.entries()) {
      const before = times[index - 1];
      if (before !== undefined)
        assert.ok(atMs - before >= wanted.frequencyMinMinutes * minuteMs, `${name} again at ${atMs}`);
      const inWindow = times.filter((one) => one > atMs - windowOf(wanted) && one <= atMs);
      assert.ok(wanted.frequencyCap === 0 || inWindow.length <= wanted.frequencyCap, `${name} at ${atMs}`);
    }
  }
}

/** Whether a list of all that was made has no room either, where all counts for as long as it ever may. */
function isFull(wanted: Settings, made: readonly Made[], name: string, nowMs: number): boolean {
  const ofViewer = made.filter((one) => one.name === name);
  const open = ofViewer.filter(
    ({ state, auction }) => state === 'open' && auction.timeMs + standsMs(auction) + 4 * minuteMs > nowMs,
  ).length;
  const shownSince = (ms: number) =>
    ofViewer.filter(({ state, atMs }) => state === 'shown' && atMs > nowMs - ms - minuteMs).length;
  const isCap = wanted.frequencyCap > 0 && open + shownSince(windowOf(wanted)) >= wanted.frequencyCap;
  const minMs = wanted.frequencyMinMinutes * minuteMs;
  return isCap || (minMs > 0 && open + shownSince(minMs) > 0);
}

/** By thread. */
type Process = readonly [Limits, Limits];

/** What came back with the write that counted one: what all processes have counted in that hour. */
function tell(limits: Limits, { kind, id }: Limited, one: Made, made: readonly Made[], nowMs: number) {
  const viewer = viewerIn(one.promised.viewer ?? '');
  const hour = Math.floor(one.atMs / hourMs);
  const isCounted = ({ state, promised, atMs }: Made) =>
    state === 'shown' && promised.viewer === one.promised.viewer && Math.floor(atMs / hourMs) === hour;
  const impressions = made.filter(isCounted).length;
  const timeMs = Math.min((hour + 1) * hourMs - 1, nowMs);
  const kept = frequencyHoursMax * 60;
  if (viewer) limits.raiseViewers([{ kind, id, viewer, timeMs, kept, impressions }]);
}

interface Settling {
  readonly object: Limited;
  readonly wanted: Settings;
  readonly made: readonly Made[];
  readonly nowMs: number;
}

function settle(processes: readonly Process[], thread: 0 | 1, { object, wanted, made, nowMs }: Settling) {
  const due = made.filter(({ state, atMs }) => state === 'open' && atMs <= nowMs);
  for (const one of due.sort((a, b) => a.atMs - b.atMs)) {
    const {
      auction: { viewer: _, ...auction },
      promised,
      atMs,
    } = one;
    const [first, second] = processes[one.at] ?? assert.fail();
    const limits = thread === 0 ? first : second;
    one.state = one.fate === 'shown' ? 'shown' : 'withdrawn';
    if (one.state === 'withdrawn') limits.release(promised, auction);
    else limits.commit(object, promised, { auction, nanos: 0, nowMs: atMs });
    if (one.state === 'shown' && processes.length > 1) tell(limits, object, one, made, nowMs);
    assertWithin(wanted, made);
  }
}

/** What a process finds in the database when it begins: hours. */
function restore(
  limits: Limits,
  { kind, id }: Limited,
  wanted: Settings,
  made: readonly Made[],
  nowMs: number,
) {
  const keptMs = wanted.frequencyCap > 0 ? windowOf(wanted) : wanted.frequencyMinMinutes * minuteMs;
  const rows = made.flatMap(({ state, promised, atMs, auction }) => {
    const viewer = viewerIn(promised.viewer ?? '');
    if (!viewer || state === 'withdrawn') return [];
    const isShown = state === 'shown';
    const hour = Math.floor((isShown ? atMs : auction.timeMs) / hourMs);
    const isOpen = !isShown && hour >= Math.floor(nowMs / hourMs) - 1;
    const timeMs = Math.min((hour + 1) * hourMs - 1, nowMs);
    const kept = Math.ceil(keptMs / minuteMs) + 1440;
    return [{ kind, id, viewer, hour, timeMs, kept, impressions: Number(isShown), promised: Number(isOpen) }];
  });
  limits.restoreViewers(rows);
}

/** `count` processes without a Valkey. */
function play(count: number, wanted: Settings, startMs: number, plan: readonly Step[]): void {
  const object = limited(wanted);
  const made: Made[] = [];
  const begin = (nowMs: number): Process => {
    const memory = limitsMemory({ startMs: nowMs, ratesFromMs: 0 }, smallSize);
    const threads = [createLimits(memory, () => 0), createLimits(memory, () => 0)] as const;
    restore(threads[0], object, wanted, made, nowMs);
    return threads;
  };
  const processes = Array.from({ length: count }, () => begin(startMs));
  let timeMs = startMs;
  const isRestarted = plan.some(({ restarts }) => restarts);
  for (const [index, { who, gapMs, to, fate, delay, restarts, ...step }] of plan.entries()) {
    const at = step.at % count;
    timeMs += gapMs;
    settle(processes, index % 2 === 0 ? 0 : 1, { object, wanted, made, nowMs: timeMs });
    if (restarts) processes[at] = begin(timeMs);
    const threads = processes[at] ?? assert.fail();
    const auction = auctionOf(who, timeMs, to);
    const mayNot = threads[0].mayReserve(object, auction, 0);
    const promised = threads[index % 2 === 0 ? 1 : 0].reserve(object, auction, 0);
    if (promised === undefined) {
      assert.ok(wanted.frequencyCap === 0 && wanted.frequencyMinMinutes === 0);
      continue;
    }
    const name = nameOf(wanted.frequencyKey, who);
    assert.equal(isRefusal(promised), mayNot !== undefined, 'what a look says');
    if (name === undefined) {
      const isRefused = isRefusal(promised) && promised.reason === 'frequency_unknown';
      assert.equal(isRefused, wanted.frequencyUnknown === 1);
      continue;
    }
    if (isRefusal(promised)) {
      assert.match(promised.reason, /^frequency_(cap|too_soon)$/);
      // What others have counted is known by the hour, as after a restart.
      const isByHour = isRestarted || count > 1;
      const isDue = isByHour || wanted.frequencyCap > 16 || isFull(wanted, made, name, timeMs);
      assert.ok(isDue, `${promised.reason} at ${timeMs}`);
      continue;
    }
    assert.match(promised.viewer ?? '', /^~[\da-f]{32}$/);
    const atMs = fate === 'never' ? Number.POSITIVE_INFINITY : timeMs + delay * standsMs(auction);
    made.push({ auction, promised, name, atMs, fate, at, state: 'open' });
  }
}

describe('frequency', () => {
  test('no process shows anybody more than the cap in any window, nor two too soon, over restarts and changes of the key', () => {
    // The secret of the hashes changes at some time within these days.
    const starts = fc.integer({ min: midnightMs, max: midnightMs + 100 * 24 * hourMs });
    fc.assert(fc.property(fc.constantFrom(1, 1, 2, 3), settings, starts, steps, play), {
      ...seeded(250),
      interruptAfterTimeLimit: 60_000,
    });
  });
});
