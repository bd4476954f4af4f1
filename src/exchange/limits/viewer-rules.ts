import { frequencyHoursMax, frequencyKeyNames } from '../../reference/frequency.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import type { Limited } from '../snapshot/limited.ts';
import { type CountedKey, type Viewer, viewerIn, viewerText } from '../viewer-hash.ts';
import type { AskedIn } from './limits.ts';
import type { Promised, PromisedIn } from './promised.ts';

/** How many impressions, in what time. */
export interface ViewerBounds {
  /** Infinity where only the time between two is limited. */
  readonly limit: number;
  /** 0 = in the UTC day of the auction; else in any so many minutes, by when they are shown. */
  readonly windowMinutes: number;
  readonly minMinutes: number;
}

/** What has been met of bounds. */
export interface ViewerCount {
  /** Shown, and promised; Infinity where the object has no room for another viewer. */
  readonly met: number;
  /** Whether the last one was too short a time ago. */
  readonly isTooSoon: boolean;
  /** In ms since 1970, if nothing else comes meanwhile; 0 = not known. */
  readonly againMs: number;
}

/** A limit of what one viewer is shown of an object. */
export interface ViewerRule {
  /** Undefined if the object has none. */
  readonly bounds: (limits: ObjectLimits) => ViewerBounds | undefined;
  /** Undefined = not known. */
  readonly viewer: (limits: ObjectLimits, bounds: ViewerBounds, auction: AskedIn) => Viewer | undefined;
  /** Of a viewer that is not known; undefined: the object allows it. */
  readonly unknown: (object: Limited, auction: AskedIn) => Refusal | undefined;
  readonly refusal: (object: Limited, count: ViewerCount) => Refusal;
  /** What a promise remembers of it. */
  readonly mark: (viewer: Viewer) => Partial<Promised>;
  /** By what it was promised; undefined if it was not. */
  readonly promised: (
    promised: Pick<Promised, 'isAtAddress' | 'viewer'>,
    auction: Pick<PromisedIn, 'ip'>,
  ) => CountedKey | undefined;
  /** By what an impression counts. */
  readonly shown: ViewerRule['promised'];
}

const minutesPerHour = 60;

const perAddress: ViewerRule = {
  bounds: ({ impressionsPerIp: limit }) =>
    limit > 0 ? { limit, windowMinutes: 0, minMinutes: 0 } : undefined,
  viewer: (_, __, { ip }) => ip && { now: ip, before: undefined },
  unknown: () => undefined,
  refusal({ limits }, { met }) {
    const details = { field: 'ImpressionsLimitPerIp', wanted: limits.impressionsPerIp };
    return refuse('impressions_per_ip', Number.isFinite(met) ? { ...details, met } : details);
  },
  mark: () => ({ isAtAddress: true }),
  promised: ({ isAtAddress }, { ip }) => (isAtAddress ? ip : undefined),
  shown: (_, { ip }) => ip,
};

const windowOf = ({ frequencyHours }: ObjectLimits) => (frequencyHours || frequencyHoursMax) * minutesPerHour;

/** To the minute. */
const againText = (againMs: number) => `again from ${new Date(againMs).toISOString().slice(0, 16)}Z`;

const promisedTo: ViewerRule['promised'] = ({ viewer }) =>
  viewer === undefined ? undefined : viewerIn(viewer);

export const frequencyRule: ViewerRule = {
  bounds(limits) {
    const { frequencyCap: cap, frequencyMinMinutes: minMinutes } = limits;
    if (cap > 0) return { limit: cap, windowMinutes: windowOf(limits), minMinutes };
    if (minMinutes === 0) return undefined;
    return { limit: Number.POSITIVE_INFINITY, windowMinutes: minMinutes, minMinutes };
  },
  viewer: ({ frequencyKey }, bounds, { viewer }) => viewer?.(frequencyKey, keptMinutes(bounds)),
  unknown: ({ limits }, { viewer }) =>
    viewer && limits.frequencyUnknown === 1
      ? refuse('frequency_unknown', {
          field: 'FrequencyUnknown',
          wanted: frequencyKeyNames[limits.frequencyKey],
          met: 'unknown, or not permitted to count by',
        })
      : undefined,
  refusal({ limits: { frequencyCap: cap, frequencyMinMinutes } }, { met, isTooSoon, againMs }) {
    const again = againMs > 0 ? againText(againMs) : undefined;
    const isCap = cap > 0 && met >= cap;
    if (!isCap && isTooSoon)
      return refuse('frequency_too_soon', {
        field: 'FrequencyMinMinutes',
        wanted: frequencyMinMinutes,
        ...(again && { met: again }),
      });
    const wanted = cap > 0 ? cap : frequencyMinMinutes;
    const details = { field: cap > 0 ? 'FrequencyCap' : 'FrequencyMinMinutes', wanted };
    if (!Number.isFinite(met)) return refuse('frequency_cap', details);
    return refuse('frequency_cap', { ...details, met: again ? `${met}, ${again}` : met });
  },
  mark: ({ now }) => ({ viewer: viewerText(now) }),
  promised: promisedTo,
  shown: promisedTo,
};

/** For how long an impression is to be remembered. */
export const keptMinutes = ({ windowMinutes, minMinutes }: ViewerBounds) =>
  Math.max(windowMinutes, minMinutes);

/** In the order in which they refuse. */
export const viewerRules: readonly ViewerRule[] = [perAddress, frequencyRule];
