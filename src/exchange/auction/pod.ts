import { podAdsMax } from '../../reference/pods.ts';
import type { Auction } from './auction.ts';
import type { PodBounds, PodSlot } from './choose-pod.ts';

/** A dynamic pod: one impression that several ads fill (OpenRTB 2.6 section 3.2.7; implementation guide, section 7.6). */
export interface Pod extends PodBounds {
  /** The place that is guaranteed; 0 = none. */
  readonly slot: PodSlot;
  /** Length of an ad that says none. */
  readonly longestSeconds: number | undefined;
  readonly separation: { readonly isByDomain: boolean; readonly isByCategory: boolean };
}

const slots: readonly PodSlot[] = [-1, 0, 1, 2];

/** `PodSeparation`: 1 = domain, 2 = category, 3 = both. */
const separationOf = (code = 0) => ({ isByDomain: code % 2 === 1, isByCategory: code >= 2 });

/** Undefined if the impression is for one ad. */
export function podOf({
  opportunity: { video },
  supply,
}: Pick<Auction, 'opportunity' | 'supply'>): Pod | undefined {
  if (!video?.podid) return undefined;
  const { poddur = 0, maxseq = 0, slotinpod, maxduration } = video;
  if (poddur === 0 && maxseq < 2) return undefined;
  return {
    durationMsMax: poddur === 0 ? Number.POSITIVE_INFINITY : poddur * 1000,
    adsMax: Math.min(maxseq || podAdsMax, podAdsMax),
    slot: slots.find((slot) => slot === slotinpod) ?? 0,
    longestSeconds: maxduration || poddur || undefined,
    separation: separationOf(supply.settings.PodSeparation),
  };
}

/** The place that a bid gets, by what it asks for; undefined if the pod cannot guarantee it. */
export function slotFor({ slot }: Pod, asked: number | undefined): PodSlot | undefined {
  const wanted = slots.find((one) => one === asked) ?? 0;
  if (wanted === 0 || wanted === slot || slot === 2) return wanted;
  return wanted === 2 && slot !== 0 ? slot : undefined;
}
