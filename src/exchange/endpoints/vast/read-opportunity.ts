import type { Video } from '../../../protocols/openrtb/objects/imp.ts';
import type { Content } from '../../../protocols/openrtb/objects/inventory.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { Caller } from '../../reading/caller.ts';
import type { ZoneQuery } from '../../reading/query.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { protocolsByVersion } from '../../vast-version.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { readPlacement } from '../placement.ts';

const secondsMax = 86_400;
const codeMax = 999;
/** AdCOM Content Contexts. */
const contextMax = 7;

export type Placement = ReturnType<typeof readPlacement>;

/** The document has the ads in our order, so that every place is guaranteed. */
function podIn({ settings }: Supply, { auctionId }: Placement): Video {
  const { PodDuration = 0, PodMaxAds = 0 } = settings;
  if (PodDuration === 0 && PodMaxAds < 2) return {};
  return {
    podid: auctionId,
    slotinpod: 2,
    ...(PodDuration && { poddur: PodDuration }),
    ...(PodMaxAds && { maxseq: PodMaxAds }),
  };
}

/** By the player, else the tag. */
export function videoOf(supply: Supply, query: ZoneQuery, placement: Placement): Video {
  const { settings } = supply;
  const { width, height, position } = placement;
  const { Version, Mimes = [], Linearity = 0, Placement = 0, Plcmt = 0 } = settings;
  const kind = query.integer('placement', codeMax) || Placement;
  const plcmt = query.integer('plcmt', codeMax) || Plcmt;
  const linearity = query.integer('linearity', 2) || Linearity;
  const minduration = query.integer('minduration', secondsMax);
  const maxduration = query.integer('maxduration', secondsMax);
  const protocols = protocolsByVersion[Version ?? Number.NaN];
  const startdelay = query.integer('startdelay', secondsMax, -2);
  return {
    ...(Mimes.length > 0 && { mimes: Mimes }),
    ...(minduration && { minduration }),
    ...(maxduration && { maxduration }),
    ...(startdelay !== undefined && { startdelay }),
    ...(width && { w: width }),
    ...(height && { h: height }),
    ...(kind && { placement: kind }),
    ...(plcmt && { plcmt }),
    ...(linearity && { linearity }),
    ...(position && { pos: position }),
    ...(protocols && { protocols }),
    ...podIn(supply, placement),
  };
}

function contentOf(query: ZoneQuery): Content {
  const [series, season] = [query.known('series', true), query.known('season', true)];
  const context = query.integer('context', contextMax, 1);
  return { ...(series && { series }), ...(season && { season }), ...(context && { context }) };
}

/** From the zone URL's macros, the tag, and the caller. */
export function readVastRequest(
  supply: Supply,
  query: ZoneQuery,
  caller: Caller,
  context: DeliveryContext,
): Opportunity {
  const placement = readPlacement(supply, query, caller, context);
  const video = videoOf(supply, query, placement);
  return { ...placement, media: 'video', video, content: contentOf(query) };
}
