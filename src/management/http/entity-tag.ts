import { hash } from 'node:crypto';
import { Refusal } from '../../fields/fault.ts';
import type { StoredObject } from '../../store/interface.ts';

/** RFC 9110, 8.8.3: its revision, and of a fetched object also a hash of its JSON. */
export function entityTag({ revision }: Pick<StoredObject, 'revision'>, json?: string): string {
  return json === undefined
    ? `"${revision}"`
    : `"${revision}-${hash('sha1', json, 'base64url').slice(0, 12)}"`;
}

function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

export function isNotModified(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = tagsIn(ifNoneMatch);
  return tags.includes('*') || tags.includes(tag);
}

/** Refuses with `changed_meanwhile` (reference, "Safe repeats"). */
export function assertMatch(ifMatch: string | undefined, { revision }: Pick<StoredObject, 'revision'>): void {
  if (ifMatch === undefined) return;
  const isMet = tagsIn(ifMatch).some(
    (tag) => tag === '*' || /^"(\d+)[-"]/.exec(tag)?.[1] === String(revision),
  );
  if (isMet) return;
  throw new Refusal(
    'changed_meanwhile',
    'The object has changed since it was fetched; fetch it again and retry',
  );
}
