import { hash } from 'node:crypto';
import { invalid } from '../../fields/fault.ts';
import { text } from '../endpoint/parameter.ts';

const digestCharacters = 12;
/** More than five texts of a hundred characters take. */
const cursorCharactersMax = 6000;

export const cursorParameter = text({
  help: 'The header `Bourse-Cursor` of the previous page, to read the next one; leave the other parameters the same, except `Limit` and `Fields`',
  schema: { type: 'string', maxLength: cursorCharactersMax },
  example: 'WyJrWDN2MGFRMVpiN2MiLDE3XQ',
  check: (sent) =>
    sent.length > cursorCharactersMax
      ? { Code: 'too_long', Message: 'is longer than any cursor; send the value of the header Bourse-Cursor' }
      : undefined,
});

function digestOf(question: unknown): string {
  return hash('sha256', JSON.stringify(question), 'base64url').slice(0, digestCharacters);
}

/** The place after which the next page begins, for the same question. */
export function writeCursor(question: unknown, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([digestOf(question), ...place])).toString('base64url');
}

function decoded(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** With members of the same types as `like`. Refuses with `invalid` a malformed cursor, or another question's. */
export function readCursor<T extends readonly (string | number)[]>(
  cursor: string,
  question: unknown,
  like: { readonly length: number; readonly isLike: (place: readonly unknown[]) => boolean },
): T {
  const [digest, ...place] = decoded(cursor);
  const refuse = (Message: string) => invalid([{ Path: 'Cursor', Code: 'format', Message }]);
  if (typeof digest !== 'string') {
    throw refuse(
      'is not a cursor; send the value of the header Bourse-Cursor, or leave it out to start again',
    );
  }
  if (digest !== digestOf(question) || place.length !== like.length || !like.isLike(place)) {
    throw refuse(
      'belongs to other parameters; send those of the previous page unchanged, or leave it out to start again',
    );
  }
  return place as unknown as T;
}
