import type { Caller } from '../reading/caller.ts';
import { refererMatches } from '../reading/site-host.ts';
import type { MatchFlags } from '../snapshot/exchange-object.ts';
import { textHash } from './text-hash.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** The visitor of the ad request, and where the ad was to be shown. */
type ExpectedCaller = Pick<TrackedAd, 'isApp' | 'isRefererChecked' | 'place' | 'ip' | 'userAgentHash'>;

type Match = (ad: ExpectedCaller, caller: Caller) => boolean;

/** By field (`entities/traffic.ts`). Referer checks pass if they were made before a page of ours was served. */
const matches: Readonly<Record<keyof MatchFlags, readonly [field: string, match: Match]>> = {
  nonEmptyReferer: [
    'NonEmptyReferer',
    ({ isRefererChecked }, { referer }) => isRefererChecked || referer !== '',
  ],
  refererMatch: [
    'RefererMatch',
    ({ isApp, isRefererChecked, place }, { referer }) =>
      isApp || isRefererChecked || refererMatches(referer, place),
  ],
  ipMatch: ['IpMatch', ({ ip: expected }, { ip }) => expected === '' || expected === ip],
  uaMatch: [
    'UaMatch',
    ({ userAgentHash: expected }, { userAgent }) => expected === 0 || expected === textHash(userAgent),
  ],
};

/** The first flag's field, of any object, that refuses; undefined = valid. */
export function mismatchedField(
  ad: ExpectedCaller,
  caller: Caller,
  flags: readonly MatchFlags[],
): string | undefined {
  for (const [name, [field, isMatch]] of Object.entries(matches)) {
    const isAsked = flags.some((object) => object[name as keyof MatchFlags]);
    if (isAsked && !isMatch(ad, caller)) return field;
  }
  return undefined;
}
