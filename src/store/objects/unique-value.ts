import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';

/** As its column holds it, with the team if others may use the same; null if there is none. */
export function uniqueValue(
  { unique }: Entity,
  document: Readonly<Record<string, unknown>>,
  teamId: number,
): string | null {
  const value = unique && ownMember(document, unique.field);
  if (typeof value !== 'string') return null;
  return unique?.within === 'team' ? `${teamId} ${value}` : value;
}
