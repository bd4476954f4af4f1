import { trackerDoor } from '../trackers/tracker-door.ts';
import type { Door } from './door.ts';
import { rtbDoor } from './rtb/rtb-door.ts';
import { vastDoor } from './vast/vast-door.ts';

/** Every door of the delivery plane. A path that ends in `/` stands for all below it. */
export const doors: readonly Door[] = [vastDoor, rtbDoor, trackerDoor];
