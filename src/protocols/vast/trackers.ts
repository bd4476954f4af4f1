import type { QuartileEvent } from './build-vast.ts';
import type { Template } from './template.ts';

/** A tracker's URL: a whole one, or a template whose token is still to be filled in. */
export type TrackerUrl = string | Template;

/** The trackers to add to every ad of a document; undefined ones are not added. */
export interface Trackers {
  readonly impression?: TrackerUrl | undefined;
  /** A further impression tracker, of this one ad: what is made with it is not kept for others. */
  readonly measurement?: string | undefined;
  readonly error?: TrackerUrl | undefined;
  /** Called beside the document's own click trackers. */
  readonly clickTracking?: TrackerUrl | undefined;
  readonly quartiles?: Readonly<Partial<Record<QuartileEvent, TrackerUrl>>> | undefined;
  /** Added where the version of the document knows it. */
  readonly skip?: TrackerUrl | undefined;
  /** Replaces a click's destination, for ads whose clicks go through the exchange; absent = it stays. */
  readonly clickThrough?: TrackerUrl | undefined;
}
