import { edited } from './edit.ts';
import { trackerEdits } from './tracker-edits.ts';
import type { Trackers } from './trackers.ts';
import type { VastDocument } from './vast-document.ts';

/**
 * The document with our trackers in every ad, InLine or wrapper, in the ad's own prefix and where the schema of its
 * version wants them. No other character of it changes, nor does its version. Documents that are kept are made ready
 * once for the same trackers, and then only the `token` goes in.
 */
export function injectTrackers(document: VastDocument, trackers: Trackers, token = ''): string {
  if (document.prepared?.trackers !== trackers) {
    document.prepared = { trackers, template: edited(document.text, trackerEdits(document), trackers) };
  }
  return document.prepared.template.join(token);
}
