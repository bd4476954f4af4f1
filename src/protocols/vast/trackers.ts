import type { QuartileEvent } from './build-vast.ts';
import type { Template } from './template.ts';

/** Whole, or a template whose token is filled in later. */
export type TrackerUrl = string | Template;

/** Added to every ad of a document. */
export interface Trackers {
  readonly impression?: TrackerUrl | undefined;
  /** A further impression tracker, of this ad only: not cached for others. */
  readonly measurement?: string | undefined;
  readonly error?: TrackerUrl | undefined;
  /** Called besides the document's own. */
  readonly clickTracking?: TrackerUrl | undefined;
  readonly quartiles?: Readonly<Partial<Record<QuartileEvent, TrackerUrl>>> | undefined;
  /** Added if the document's version knows it. */
  readonly skip?: TrackerUrl | undefined;
  /** Replaces a click's destination if clicks go through the exchange; absent = it stays. */
  readonly clickThrough?: TrackerUrl | undefined;
}
