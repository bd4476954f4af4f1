import type { QuartileEvent } from '../../protocols/vast/build-vast.ts';
import type { Template } from '../../protocols/vast/template.ts';

/**
 * What trackers report. `click` leads on to the advertiser, `clicktracking` is called beside a click. `win`, `billing`
 * and `loss` are notices of whoever holds the auction that an ad was offered in; `open` is a pop that was, and leads on.
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
  | QuartileEvent;

/** What the URLs of an ad's trackers are made of. */
export interface SignedTrackers {
  /** Where players reach us. */
  readonly base: string;
  readonly token: string;
}

/** Path below which trackers live. */
export const trackerPath = '/track/';

/** The URL of a tracker but for the token; `behind` stands after that. */
export function openTrackerUrl(base: string, event: TrackerEvent, behind = ''): Template {
  return [`${base}${trackerPath}${event}?t=`, behind];
}

/** The URL of a tracker. */
export function trackerUrl({ base, token }: SignedTrackers, event: TrackerEvent): string {
  return openTrackerUrl(base, event).join(token);
}
