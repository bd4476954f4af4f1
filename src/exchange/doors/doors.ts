import type { Opportunity } from '../opportunity.ts';
import type { Caller } from '../reading/caller.ts';
import type { Supply } from '../snapshot/supply.ts';
import { bannerDoor } from './banner/banner-door.ts';
import type { AskedRequest, Door, DoorContext } from './door.ts';
import { clickDoor, openDoor } from './pop/click-door.ts';
import { directDoor } from './pop/direct-door.ts';
import { popDoor } from './pop/pop-door.ts';
import { rtbDoor } from './rtb/rtb-door.ts';
import { sellersJsonDoor } from './sellers-json-door.ts';
import { trackerDoor } from './tracker-door.ts';
import { vastDoor } from './vast/vast-door.ts';

/**
 * Every door of the delivery plane. A door whose path ends in `/` takes all paths below it, but those of earlier doors.
 */
export const doors: readonly Door[] = [
  vastDoor,
  rtbDoor,
  openDoor,
  trackerDoor,
  bannerDoor,
  popDoor,
  directDoor,
  clickDoor,
  sellersJsonDoor,
];

/** Makes an opportunity of a request to a supply object, as the door would whose URL it has. */
export function readAsked(
  supply: Supply,
  request: AskedRequest,
  context: DoorContext,
  caller?: Caller,
): Opportunity | undefined {
  const able = doors.filter(({ explained }) => explained?.kind === supply.kind);
  const asked = able.find(({ path }) => request.url?.split('?', 1)[0]?.endsWith(path)) ?? able[0];
  return asked?.explained?.read(supply, request, context, caller);
}
