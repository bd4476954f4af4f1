import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { activities } from '../reference/activities.ts';
import { frequencyHoursMax, frequencyKeys } from '../reference/frequency.ts';
import type { TrackerKey } from './configuration.ts';
import type { ViewerConsent } from './consent/viewer-consent.ts';
import type { IpAddress, Opportunity } from './opportunity.ts';
import { countedAddress } from './reading/ip-address.ts';

/** By what impressions are counted: an address, IPv6 by its /64, or a viewer's hash (version 0). */
export interface CountedKey {
  readonly version: IpAddress['version'] | 0;
  readonly bytes: Uint8Array;
}

/** A viewer's hashes change with time: the one of now, and that of the time before, if some may still count by it. */
export interface Viewer {
  readonly now: CountedKey;
  readonly before: CountedKey | undefined;
}

/**
 * The viewer by a `FrequencyKey`, of whom earlier impressions count for so many minutes; undefined if unknown, or if
 * consent does not permit to count.
 */
export type ViewerOf = (key: number, windowMinutes: number) => Viewer | undefined;

export type HashViewer = (
  opportunity: Pick<Opportunity, 'timeMs' | 'userId' | 'device' | 'ip'>,
  consent: Pick<ViewerConsent, 'withheldHere'>,
) => ViewerOf;

export const viewerHashBytes = 16;
/** No address begins so. */
const mark = '~';

/** As stored. */
export const viewerOfHex = (hex: string): string => mark + hex;
export const viewerHex = (text: string): string => text.slice(mark.length);
export const viewerText = ({ bytes }: CountedKey): string => viewerOfHex(Buffer.from(bytes).toString('hex'));

const hashPattern = /^~[\da-f]{32}$/;

/** Undefined for any other text. */
export const viewerIn = (text: string): CountedKey | undefined =>
  hashPattern.test(text) ? { version: 0, bytes: Buffer.from(viewerHex(text), 'hex') } : undefined;

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** As long as the longest window, so that none reaches beyond the time before. */
const periodMs = frequencyHoursMax * hourMs;
const keyBytes = 32;
const label = 'bourse frequency';
/** The present and the one before, and as clocks differ those beside them. */
const keysMax = 8;

/** Zeros stand for no identifier. */
const isNobody = (id: string) => id === '' || /^[0-]+$/.test(id);

type Ids = Pick<Opportunity, 'userId' | 'device' | 'ip'>;

/** With the name of its kind, so that a user and a device of one name are two. Undefined = unknown. */
function nameOf(key: number, { userId, device, ip }: Ids, isPermitted: boolean): string | undefined {
  if (key === frequencyKeys.address) return ip && `address ${countedAddress(ip)}`;
  const isUser = key === frequencyKeys.user;
  const id = isUser ? userId : device.ifa.toLowerCase();
  return isPermitted && !isNobody(id) ? `${isUser ? 'user' : 'device'} ${id}` : undefined;
}

const mayRecognize = (key: number, consent: Pick<ViewerConsent, 'withheldHere'>) =>
  key === frequencyKeys.address || (consent.withheldHere() & activities.sync) === 0;

/** The key in use when the period began, which no later rotation changes. */
function periodKeys(keyring: () => readonly TrackerKey[]) {
  const known = new Map<number, KeyObject>();
  const derive = (period: number): KeyObject => {
    const { secret } = keyring().findLast(({ fromMs }) => fromMs <= period * periodMs) ?? keyring()[0] ?? {};
    if (!secret) throw new Error('there is no key for trackers');
    return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `${label} ${period}`, keyBytes)));
  };
  return (period: number): KeyObject => {
    const before = known.get(period);
    if (before) return before;
    if (known.size >= keysMax) known.clear();
    const key = derive(period);
    known.set(period, key);
    return key;
  };
}

/**
 * Hashes viewers with secrets that all servers of an installation derive from their tracker keys, one for each 90 days:
 * so nobody else can tell whom a hash stands for, nor follow anybody for longer.
 */
export function createViewerHash(keyring: () => readonly TrackerKey[]): HashViewer {
  const keyOf = periodKeys(keyring);
  const hashOf = (period: number, name: string): CountedKey => {
    const digest = createHmac('sha256', keyOf(period)).update(name).digest();
    return { version: 0, bytes: digest.subarray(0, viewerHashBytes) };
  };
  // Most auctions ask for nobody, so that nothing but this is made of them.
  return (opportunity, consent) => {
    let known: { name: string | undefined; now?: CountedKey; before?: CountedKey }[] | undefined;
    return (key, windowMinutes) => {
      const { timeMs } = opportunity;
      const period = Math.floor(timeMs / periodMs);
      known ??= [];
      known[key] ??= { name: nameOf(key, opportunity, mayRecognize(key, consent)) };
      const one = known[key];
      if (one.name === undefined) return undefined;
      one.now ??= hashOf(period, one.name);
      if (timeMs - period * periodMs > windowMinutes * minuteMs) return { now: one.now, before: undefined };
      one.before ??= hashOf(period - 1, one.name);
      return { now: one.now, before: one.before };
    };
  };
}
