import type { QuartileEvent } from './build-vast.ts';

/** What to add to every ad of a document; what is undefined is not added. */
export interface Trackers {
  readonly impression?: string | undefined;
  readonly error?: string | undefined;
  /** Called beside the document's own click trackers. */
  readonly clickTracking?: string | undefined;
  readonly quartiles?: Readonly<Partial<Record<QuartileEvent, string>>> | undefined;
  /**
   * The URL that takes the place of a click's destination, for ads whose clicks go through the exchange (campaigns).
   * Without it destinations stay as they are.
   */
  readonly clickThrough?: ((destination: string) => string) | undefined;
}
