import type { QuartileEvent } from '../../protocols/vast/build-vast.ts';

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

/** Path below which trackers live. */
export const trackerPath = '/track/';

/** The URL of a tracker, for an ad's token. */
export function trackerUrl(baseUrl: string, event: TrackerEvent, token: string): string {
  return `${baseUrl}${trackerPath}${event}?t=${token}`;
}
