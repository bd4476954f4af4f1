import type { QuartileEvent } from '../../protocols/vast/build-vast.ts';

/** What trackers report. `click` leads on to the advertiser, `clicktracking` is called beside a click. */
export type TrackerEvent = 'impression' | 'error' | 'click' | 'clicktracking' | QuartileEvent;

/** Path below which trackers live. */
export const trackerPath = '/track/';

/** The URL of a tracker, for an ad's token. */
export function trackerUrl(baseUrl: string, event: TrackerEvent, token: string): string {
  return `${baseUrl}${trackerPath}${event}?t=${token}`;
}
