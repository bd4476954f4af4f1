import type { OwnVersion } from '../protocols/vast/build-vast.ts';
import { isSince, versionsOf } from '../protocols/vast/vast-version.ts';
import type { Opportunity } from './opportunity.ts';
import type { Supply } from './snapshot/supply.ts';

/** AdCOM codes by the `Version` of a VAST Tag: 0 = VAST 2.0 and 3.0 with wrappers, 1 = also 4.0. */
export const protocolsByVersion: readonly (readonly number[])[] = [
  [2, 3, 5, 6],
  [2, 3, 5, 6, 7, 8],
];

/** By `Version`; without it VAST 3.0, which every player knows. */
export function vastVersionFor({ settings }: Supply): OwnVersion {
  return settings.Version === 1 ? '4.0' : '3.0';
}

/** The player's protocols may want another form for an ad. */
export function adVersionFor(supply: Supply, { video }: Opportunity): OwnVersion {
  const usual = vastVersionFor(supply);
  const taken = versionsOf(video?.protocols ?? [], false);
  const newest = taken.at(-1);
  if (newest === undefined || taken.includes(usual)) return usual;
  return isSince(newest, '4.0') ? '4.0' : '3.0';
}
