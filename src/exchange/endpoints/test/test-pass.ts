import type { Tester } from '../../../answers/test-result.ts';
import { type SupplyKind, supplyKindNames } from '../../../entities/kinds.ts';
import type { ByteReader, ByteWriter } from '../../trackers/byte-writer.ts';
import type { TokenSealer } from '../../trackers/token-sealer.ts';
import { trackerPath } from '../../trackers/tracker-url.ts';

export interface TestPass extends Tester {
  readonly kind: SupplyKind;
  readonly id: number;
  readonly expiresMs: number;
}

export interface ListedTracker extends Tester {
  readonly url: string;
  readonly expiresMs: number;
}

/** How long a test URL and a listed tracker are valid. */
export const testMs = 5 * 60_000;

export const passParameter = 'test_pass';

/** Longer trackers cannot be fired. */
const urlBytesMax = 8192;

const id = { min: 1, max: 2 ** 31 - 1 };
const kind = { min: 0, max: supplyKindNames.length - 1 };
const time = { min: 0, max: Number.MAX_SAFE_INTEGER };

function writeTester(to: ByteWriter, { teamId, userId }: Tester, expiresMs: number): void {
  to.number(teamId, id);
  to.number(userId, id);
  to.number(expiresMs, time);
}

const readTester = (from: ByteReader) => ({
  teamId: from.number(id),
  userId: from.number(id),
  expiresMs: from.number(time),
});

function readPass(from: ByteReader): TestPass {
  const tester = readTester(from);
  return { ...tester, kind: supplyKindNames[from.number(kind)] as SupplyKind, id: from.number(id) };
}

export function createTestPasses(sealing: TokenSealer) {
  const opened = <Value extends { readonly expiresMs: number }>(
    type: 'test' | 'partner',
    token: string,
    nowMs: number,
    read: (from: ByteReader) => Value,
  ): Value | undefined => {
    const value = sealing.open(type, token, nowMs, read);
    return value && nowMs < value.expiresMs ? value : undefined;
  };
  return {
    sealPass: (pass: TestPass, nowMs: number) =>
      sealing.seal('test', nowMs, (to) => {
        writeTester(to, pass, pass.expiresMs);
        to.number(supplyKindNames.indexOf(pass.kind), kind);
        to.number(pass.id, id);
      }),
    /** Undefined if invalid or expired. */
    openPass: (token: string, nowMs: number) => opened('test', token, nowMs, readPass),
    /** An inert URL of ours that names a partner's tracker to `fire`; `""` if too long. */
    trackerUrl(tracker: ListedTracker, base: string, nowMs: number): string {
      if (Buffer.byteLength(tracker.url) > urlBytesMax) return '';
      const token = sealing.seal('partner', nowMs, (to) => {
        writeTester(to, tracker, tracker.expiresMs);
        to.text(tracker.url);
      });
      return `${base}${trackerPath}test?t=${token}`;
    },
    openTracker: (token: string, nowMs: number): ListedTracker | undefined =>
      opened('partner', token, nowMs, (from) => ({ ...readTester(from), url: from.text() })),
  };
}
