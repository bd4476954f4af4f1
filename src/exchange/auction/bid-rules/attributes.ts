import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** `BlockedAdAttributes`: creative attributes (AdCOM) that are not shown. */
export const attributes: BidRule = ({ settings }) => {
  const field = 'BlockedAdAttributes';
  const blocked = new Set(settings[field]);
  if (blocked.size === 0) return;
  return (bid) => {
    const met = bid.attributes.find((attribute) => blocked.has(attribute));
    return met === undefined ? undefined : refuse('attribute_blocked', { field, wanted: `not ${met}`, met });
  };
};
