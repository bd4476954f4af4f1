import { edited } from './edit.ts';
import { trackerEdits } from './tracker-edits.ts';
import type { Trackers } from './trackers.ts';
import type { VastDocument } from './vast-document.ts';

/**
 * The document with our trackers in every ad, InLine or wrapper, in the ad's own prefix and where the schema of its
 * version wants them. No other character of it changes, nor does its version.
 */
export function injectTrackers(document: VastDocument, trackers: Trackers): string {
  return edited(document.text, trackerEdits(document), trackers);
}
