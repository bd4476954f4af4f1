import type { QuartileEvent } from '../../protocols/vast/build-vast.ts';
import type { Template } from '../../protocols/vast/template.ts';

/**
 * What trackers report. `click` leads on to the advertiser, `clicktracking` is called beside a click. `win`, `billing`
 * and `loss` are notices from the exchange in whose auction an ad was offered; `open` is the click on an offered pop,
 * and leads on.
 */
export type TrackerEvent =
  | 'impression'
  | 'error'
  | 'click'
  | 'clicktracking'
  | 'win'
  | 'billing'
  | 'loss'
  | 'open'
  | 'skip'
  | QuartileEvent;

/** What the URLs of an ad's trackers are made of. */
export interface SignedTrackers {
  /** Where players reach us. */
  readonly base: string;
  readonly token: string;
}

export const trackerPath = '/track/';

/** The URL of a tracker in two pieces, between which the token goes; `behind` follows the token. */
export function openTrackerUrl(base: string, event: TrackerEvent, behind = ''): Template {
  return [`${base}${trackerPath}${event}?t=`, behind];
}

export function trackerUrl({ base, token }: SignedTrackers, event: TrackerEvent): string {
  return openTrackerUrl(base, event).join(token);
}
