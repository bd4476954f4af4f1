import type { QuartileEvent } from './build-vast.ts';
import type { Template } from './template.ts';

/** Where a tracker lives: a whole URL, or one whose token is open. */
export type TrackerUrl = string | Template;

/** What to add to every ad of a document; what is undefined is not added. */
export interface Trackers {
  readonly impression?: TrackerUrl | undefined;
  readonly error?: TrackerUrl | undefined;
  /** Called beside the document's own click trackers. */
  readonly clickTracking?: TrackerUrl | undefined;
  readonly quartiles?: Readonly<Partial<Record<QuartileEvent, TrackerUrl>>> | undefined;
  /**
   * The URL that takes the place of a click's destination, for ads whose clicks go through the exchange (campaigns).
   * Without it destinations stay as they are.
   */
  readonly clickThrough?: TrackerUrl | undefined;
}
