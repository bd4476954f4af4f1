import type { QuartileEvent } from '../../protocols/vast/build-vast.ts';
import type { Template } from '../../protocols/vast/template.ts';

/**
 * `click` redirects to the advertiser, `clicktracking` is called with a click. `win`, `billing` and `loss` are notices
 * from an offer's auction; `open` is the click on an offered pop, and redirects.
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

export interface SignedTrackers {
  /** Where players reach us. */
  readonly base: string;
  readonly token: string;
}

export const trackerPath = '/track/';

/** In two parts, with the token between; `behind` follows it. */
export function openTrackerUrl(base: string, event: TrackerEvent, behind = ''): Template {
  return [`${base}${trackerPath}${event}?t=`, behind];
}

export function trackerUrl({ base, token }: SignedTrackers, event: TrackerEvent): string {
  return openTrackerUrl(base, event).join(token);
}
