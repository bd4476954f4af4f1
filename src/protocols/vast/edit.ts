import { append, joined, type Template, wrapped } from './template.ts';
import type { Trackers, TrackerUrl } from './trackers.ts';
import { templateCdata } from './xml-values.ts';

/** A text; a tracker's element with its URL; or tags around pieces. */
export type Fragment =
  | string
  | {
      readonly open: string;
      readonly close: string;
      readonly urlOf: (trackers: Trackers) => TrackerUrl | undefined;
    }
  | { readonly open: string; readonly close: string; readonly pieces: readonly Fragment[] };

/** Replaces `from` to `to`; nothing changes if none of the piece's trackers is wanted. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly fragment: Fragment;
}

function pieceText(fragment: Fragment, trackers: Trackers): Template | undefined {
  if (typeof fragment === 'string') return [fragment];
  const { open, close } = fragment;
  if ('urlOf' in fragment) {
    const url = fragment.urlOf(trackers);
    return url ? wrapped(open, templateCdata(url), close) : undefined;
  }
  const inner = fragment.pieces.map((part) => pieceText(part, trackers)).filter((part) => part !== undefined);
  return inner.length === 0 ? undefined : wrapped(open, joined(inner), close);
}

/** Edits are sorted by place; the trackers' token is filled in later. */
export function applyEdits(
  text: string,
  edits: readonly Edit[],
  trackers: Trackers,
  { from, to } = { from: 0, to: text.length },
): Template {
  const parts = [''];
  let at = from;
  for (const edit of edits) {
    if (edit.from < from || edit.to > to) continue;
    const replacement = pieceText(edit.fragment, trackers);
    if (replacement === undefined) continue;
    append(parts, [text.slice(at, edit.from)]);
    append(parts, replacement);
    at = edit.to;
  }
  append(parts, [text.slice(at, to)]);
  return parts;
}
