import { edited } from './edit.ts';
import { trackerEdits } from './tracker-edits.ts';
import type { Trackers } from './trackers.ts';
import type { VastDocument } from './vast-document.ts';

/**
 * The document with our trackers in every ad, InLine or wrapper, with the ad's own namespace prefix and in the places
 * that the schema of its version wants. Nothing else of the document changes. The result is kept as a template, so that
 * the next call with the same trackers only fills in the `token`.
 */
export function injectTrackers(document: VastDocument, trackers: Trackers, token = ''): string {
  if (document.prepared?.trackers !== trackers) {
    document.prepared = { trackers, template: edited(document.text, trackerEdits(document), trackers) };
  }
  return document.prepared.template.join(token);
}
