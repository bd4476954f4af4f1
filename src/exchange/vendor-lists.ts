import type { VendorList } from '../protocols/consent/vendor-list.ts';
import { createRecentCache } from '../shared/recent-cache.ts';

/** `newest`, a version of the archive, or a file, by its path and when it was written. */
export type VendorListSubject = `vendor list\t${string}`;

export const newestList: VendorListSubject = 'vendor list\tnewest';
/** @internal */
export const listVersion = (version: number): VendorListSubject => `vendor list\tversion\t${version}`;
export const listFile = (path: string, writtenMs: number): VendorListSubject =>
  `vendor list\tfile\t${path}\t${writtenMs}`;

export const isVendorList = (subject: string): subject is VendorListSubject =>
  subject.startsWith('vendor list\t');

export type VendorListResult = { readonly subject: VendorListSubject } & (
  | { readonly list: VendorList }
  /** Why there is none. */
  | { readonly fault: string }
);

/** The IAB's Global Vendor Lists that are known. Auctions ask this and never wait for it. */
export interface VendorLists {
  /** Undefined if it is not known: then only consent counts. Requests it if it may exist. */
  of(version: number): VendorList | undefined;
  /** Version of the newest; 0 = none is known. */
  newest(): number;
}

/** Some 25 kB each. */
const listsMax = 64;
const requestWaitMs = 120_000;
/** Lists come weekly, and those of the archive stay. */
const askAgainMs = { found: 24 * 3_600_000, newestMissing: 15 * 60_000, versionMissing: 6 * 3_600_000 };

export interface VendorListsOptions {
  readonly ask: (subject: VendorListSubject) => void;
  /** Milliseconds, never going back. */
  readonly now: () => number;
}

/** What a thread knows. Versions after the newest are not asked for, so that nobody makes us ask for more. */
export function createVendorLists({
  ask,
  now,
}: VendorListsOptions): VendorLists & { learn(result: VendorListResult): void } {
  const lists = createRecentCache<number, VendorList>(listsMax);
  const askAgainAtMs = new Map<VendorListSubject, number>();
  let newest: VendorList | undefined;
  const request = (subject: VendorListSubject) => {
    const nowMs = now();
    if (nowMs < (askAgainAtMs.get(subject) ?? Number.NEGATIVE_INFINITY)) return;
    askAgainAtMs.set(subject, nowMs + requestWaitMs);
    ask(subject);
  };
  return {
    of(version) {
      request(newestList);
      if (version === newest?.version) return newest;
      const known = lists.get(version);
      if (known === undefined && newest && version > 0 && version < newest.version)
        request(listVersion(version));
      return known;
    },
    newest: () => newest?.version ?? 0,
    /** A fault leaves what is known. */
    learn(result) {
      const { subject } = result;
      const isFault = 'fault' in result;
      const missingMs = subject === newestList ? askAgainMs.newestMissing : askAgainMs.versionMissing;
      askAgainAtMs.set(subject, now() + (isFault ? missingMs : askAgainMs.found));
      if (isFault) return;
      const { list } = result;
      lists.set(list.version, list);
      if (list.version >= (newest?.version ?? 0)) newest = list;
    },
  };
}
