import type { Values } from '../../store/interface.ts';
import { type MatchKind, matchKinds, type SearchedField } from './searched-fields.ts';

/** Where a query was found in an object, and how good that is: the less the better. */
export interface Match {
  readonly rank: number;
  readonly field: string;
  readonly value: string;
}

/** The credential in a URL of ours, as people paste it. */
function credentialIn(query: string): string | undefined {
  return URL.parse(query)?.searchParams.get('auth') ?? undefined;
}

/** Within a kind: the whole value, then its beginning, then the beginning of a word, then any part. */
function nearness(value: string, query: string): number | undefined {
  const at = value.indexOf(query);
  if (at === -1) return undefined;
  if (at === 0) return value.length === query.length ? 0 : 1;
  return value.includes(` ${query}`) ? 2 : 3;
}
const nearnesses = 4;

/** Compiles a query to the best place where an object holds it; upper and lower case are the same. */
export function compileMatcher(query: string, fields: readonly SearchedField[]) {
  const wanted = query.toLowerCase();
  const credentials = [query, credentialIn(query)];
  const rankOf = (kind: MatchKind, near: number) => matchKinds.indexOf(kind) * nearnesses + near;
  const ranked = ({ kind }: SearchedField, value: string): number | undefined => {
    if (kind === 'credential')
      return value !== '' && credentials.includes(value) ? rankOf(kind, 0) : undefined;
    const near = nearness(value.toLowerCase(), wanted);
    if (near === undefined) return undefined;
    return rankOf(kind === 'name' && near > 0 ? 'namePart' : kind, near);
  };
  return (id: number, document: Values): Match | undefined => {
    let best: Match | undefined =
      String(id) === query ? { rank: rankOf('id', 0), field: 'Id', value: query } : undefined;
    for (const field of fields) {
      const value = String(document[field.name] ?? '');
      const rank = ranked(field, value);
      if (rank !== undefined && (!best || rank < best.rank)) best = { rank, field: field.name, value };
    }
    return best;
  };
}
