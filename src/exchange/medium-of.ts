import { roleOf } from '../entities/kinds.ts';
import type { TargetedObject } from './configuration.ts';
import type { Media } from './opportunity.ts';

/** Fixed by its kind, or by the code in its field. */
export function mediumOf({
  entity,
  settings,
}: Pick<TargetedObject, 'entity' | 'settings'>): Media | undefined {
  const { medium } = roleOf(entity);
  return typeof medium === 'object' ? medium.codes[settings[medium.field] ?? 0] : medium;
}
