import type { Trackers } from './trackers.ts';
import { xmlCdata } from './xml-values.ts';

/** Text to put in: as it is; a tracker between its tags; or tags around such. */
export type Piece =
  | string
  | {
      readonly open: string;
      readonly close: string;
      readonly urlOf: (trackers: Trackers) => string | undefined;
    }
  | { readonly open: string; readonly close: string; readonly pieces: readonly Piece[] };

/** A change of a text: what is between two places is replaced, unless the piece holds no tracker that is wanted. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly piece: Piece;
}

/** The piece as text; undefined where it holds nothing that is wanted. */
function rendered(piece: Piece, trackers: Trackers): string | undefined {
  if (typeof piece === 'string') return piece;
  if ('urlOf' in piece) {
    const url = piece.urlOf(trackers);
    return url ? `${piece.open}${xmlCdata(url)}${piece.close}` : undefined;
  }
  const inner = piece.pieces.map((part) => rendered(part, trackers)).filter((part) => part !== undefined);
  return inner.length === 0 ? undefined : `${piece.open}${inner.join('')}${piece.close}`;
}

/** A part of a text with the edits that lie in it, which come in order of their places. */
export function edited(
  text: string,
  edits: readonly Edit[],
  trackers: Trackers,
  { from, to } = { from: 0, to: text.length },
): string {
  let result = '';
  let at = from;
  for (const edit of edits) {
    if (edit.from < from || edit.to > to) continue;
    const replacement = rendered(edit.piece, trackers);
    if (replacement === undefined) continue;
    result += text.slice(at, edit.from) + replacement;
    at = edit.to;
  }
  return result + text.slice(at, to);
}
