import { ownMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';
import { foldCase } from '../listing/listed-field.ts';
import { type KindText, separator } from './search-page.ts';
import { type MatchKind, matchKinds, type SearchedField, type TextKind } from './searched-fields.ts';

/** The whole value, its beginning, the beginning of a word, any part. */
const nearnesses = 4;

const space = 32;

/** The lower, the better. */
export const rankOf = (kind: MatchKind, near: number) => matchKinds.indexOf(kind) * nearnesses + near;

export interface Match {
  readonly rank: number;
  readonly field: string;
  readonly value: string;
}

/** As people paste it. */
function credentialIn(query: string): string | undefined {
  return URL.parse(query)?.searchParams.get('auth') ?? undefined;
}

function nearnessAt(text: string, at: number, length: number): number {
  const before = text.charCodeAt(at - 1);
  if (before === 0) return text.charCodeAt(at + length) === 0 ? 0 : 1;
  return before === space ? 2 : 3;
}

function eachMatch(
  { text, starts }: KindText,
  wanted: string,
  take: (index: number, near: number) => void,
): void {
  let index = 0;
  let at = text.indexOf(wanted);
  while (at !== -1) {
    while ((starts[index + 1] ?? 0) <= at) index += 1;
    const end = starts[index + 1] ?? 0;
    let near = nearnesses;
    for (; at !== -1 && at < end; at = text.indexOf(wanted, at + 1)) {
      near = Math.min(near, nearnessAt(text, at, wanted.length));
    }
    take(index, near);
  }
}

/**
 * Case counts only in credentials, which must match whole. `inTexts` calls `take` for each object of a page with its
 * best rank (ignoring case even in credentials); `inObject` judges one object and finds its best field.
 */
export function compileMatcher(query: string) {
  const wanted = foldCase(query);
  const credentials = [query, credentialIn(query)].filter((text) => text !== undefined);
  const inTexts = (kind: TextKind, texts: KindText, take: (index: number, rank: number) => void): void => {
    if (query.includes(separator)) return;
    if (kind === 'credential') {
      for (const text of credentials) {
        const whole = `${separator}${foldCase(text)}${separator}`;
        eachMatch(texts, whole, (index) => take(index, rankOf(kind, 0)));
      }
      return;
    }
    eachMatch(texts, wanted, (index, near) =>
      take(index, rankOf(kind === 'name' && near > 0 ? 'namePart' : kind, near)),
    );
  };
  const inObject = (fields: readonly SearchedField[], id: number, document: Values): Match | undefined => {
    let best: Match | undefined =
      String(id) === query ? { rank: rankOf('id', 0), field: 'Id', value: query } : undefined;
    for (const { name, kind } of fields) {
      const value = String(ownMember(document, name) ?? '');
      if (value === '' || (kind === 'credential' && !credentials.includes(value))) continue;
      const text = separator + foldCase(value) + separator;
      inTexts(kind, { text, starts: Uint32Array.of(0, text.length) }, (_, rank) => {
        if (!best || rank < best.rank) best = { rank, field: name, value };
      });
    }
    return best;
  };
  return { inTexts, inObject };
}
