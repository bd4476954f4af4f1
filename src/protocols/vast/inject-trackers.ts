import { applyEdits } from './edit.ts';
import { trackerEdits } from './tracker-edits.ts';
import type { Trackers } from './trackers.ts';
import type { VastDocument } from './vast-document.ts';

/** The document with trackers in every ad, as its schema wants. Kept as a template, which the `token` only fills. */
export function injectTrackers(document: VastDocument, trackers: Trackers, token = ''): string {
  if (trackers.measurement !== undefined)
    return applyEdits(document.text, trackerEdits(document), trackers).join(token);
  if (document.prepared?.trackers !== trackers) {
    document.prepared = { trackers, template: applyEdits(document.text, trackerEdits(document), trackers) };
  }
  return document.prepared.template.join(token);
}
