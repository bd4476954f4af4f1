import type { Opportunity, VideoPlacement } from '../../opportunity.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { Caller } from '../../trackers/match.ts';
import type { DoorContext } from '../door.ts';
import { readPlacement } from '../placement.ts';
import type { ZoneQuery } from '../query.ts';

/** Fields of a VAST Tag that describe its video (specification 2.5), as stored. */
interface TagFields {
  readonly Mimes: readonly string[];
  readonly Linearity: number;
  readonly Placement: number;
}

const secondsMax = 86_400;
const codeMax = 999;

function videoOf(tag: TagFields, query: ZoneQuery): VideoPlacement {
  return {
    linearity: query.integer('linearity', 2) || tag.Linearity,
    placement: query.integer('placement', codeMax) || tag.Placement,
    minDuration: query.integer('minduration', secondsMax) ?? 0,
    maxDuration: query.integer('maxduration', secondsMax) ?? 0,
    startDelay: query.integer('startdelay', secondsMax, -2),
    mimes: tag.Mimes,
    series: query.text('series'),
    season: query.text('season'),
    context: query.text('context'),
  };
}

/**
 * The opportunity of a request to a VAST zone URL (specification 2.5), read from its macros, the tag, and the caller.
 */
export function readVastRequest(
  supply: Supply,
  query: ZoneQuery,
  caller: Caller,
  context: DoorContext,
): Opportunity {
  const video = videoOf(supply.document as unknown as TagFields, query);
  return { ...readPlacement(supply, query, caller, context), media: 'video', video };
}
