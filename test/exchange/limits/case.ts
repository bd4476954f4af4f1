import assert from 'node:assert/strict';
import type { Limits } from '../../../src/exchange/limits/limits.ts';
import type { IpAddress } from '../../../src/exchange/opportunity.ts';
import type { Limited } from '../../../src/exchange/snapshot/limited.ts';
import { auctionAt, dayMs, midnightMs, promisedBy, refusedBy } from './limited.ts';

export const noonMs = midnightMs + dayMs / 2;

const ipOf = (text: string, bytes: readonly number[]): IpAddress => ({
  text,
  version: bytes.length === 4 ? 4 : 6,
  bytes: Uint8Array.from(bytes),
});
export const home = ipOf('203.0.113.7', [203, 0, 113, 7]);
export const neighbour = ipOf('203.0.113.8', [203, 0, 113, 8]);
export const v6 = (last: number) => ipOf('v6', [0x20, 1, 0xd, 0xb8, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, last]);

/** A question to limits after something has happened. */
export interface Case {
  readonly name: string;
  /** By default a `DspVastTag`. */
  readonly kind?: Limited['kind'];
  readonly limits: Partial<Limited['limits']>;
  /** When the process began; soon after midnight unless told. */
  readonly startMs?: number;
  readonly before: (limits: Limits, object: Limited) => void;
  readonly ask: (limits: Limits, object: Limited) => unknown;
  readonly refusal: unknown;
}

/** Promises and shows an ad at noon. */
export const show = (limits: Limits, object: Limited, address: IpAddress) => {
  assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', address)), undefined);
  limits.commit(object, promisedBy(object, 0, true), {
    auction: auctionAt(noonMs, 'ad', address),
    nanos: 0,
    nowMs: noonMs,
  });
};
/** What refuses the next ad. */
export const may =
  (address: IpAddress, timeMs = noonMs) =>
  (limits: Limits, object: Limited) =>
    limits.mayReserve(object, { ip: address, timeMs }, 0);
