import { isVideoMime } from '../../is-video-mime.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { Caller } from '../../reading/caller.ts';
import type { ZoneQuery } from '../../reading/query.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { readPlacement } from '../placement.ts';
import { videoOf } from '../vast/read-opportunity.ts';

/** What the page's own player plays: VAST 2.0 to 4.0. */
const playable = { mimes: ['video/mp4'], linearity: 1, protocols: [2, 3, 5, 6, 7, 8] } as const;

/** From the zone URL's macros, the object's fields, and the caller. */
export function readBannerRequest(
  supply: Supply,
  query: ZoneQuery,
  caller: Caller,
  context: DeliveryContext,
): Opportunity {
  const placement = readPlacement(supply, query, caller, context);
  const banner = { ...placement, media: 'banner', video: undefined } as const;
  if (supply.settings.VideoEnabled !== 1) return banner;
  const { mimes = [], ...video } = videoOf(supply, query, placement);
  const known = mimes.filter(isVideoMime);
  const { width, height } = placement;
  const shared = { width, height, sizes: undefined, lengthFloors: undefined, blocks: undefined };
  return {
    ...banner,
    variants: [
      { ...shared, media: 'banner', video: undefined },
      {
        ...shared,
        media: 'video',
        video: { ...video, ...playable, ...(known.length > 0 && { mimes: known }) },
      },
    ],
  };
}
