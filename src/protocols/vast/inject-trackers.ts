import { applyEdits } from './edit.ts';
import { trackerEdits } from './tracker-edits.ts';
import type { Trackers } from './trackers.ts';
import type { VastDocument } from './vast-document.ts';

/** As the schema wants. Cached as a template, which `token` fills. */
export function injectTrackers(document: VastDocument, trackers: Trackers, token = ''): string {
  if (trackers.measurement !== undefined)
    return applyEdits(document.text, trackerEdits(document), trackers).join(token);
  if (document.prepared?.trackers !== trackers) {
    document.prepared = { trackers, template: applyEdits(document.text, trackerEdits(document), trackers) };
  }
  return document.prepared.template.join(token);
}
