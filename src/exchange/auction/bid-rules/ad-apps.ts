import { nonEmptyLines } from '../../non-empty-lines.ts';
import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** `AdAppsBlacklist`: apps that must not be advertised, by identifier. */
export const adApps: BidRule = ({ settings }) => {
  const field = 'AdAppsBlacklist';
  const blocked = new Set(nonEmptyLines(settings[field]));
  if (blocked.size === 0) return;
  return ({ appBundle }) => {
    if (!blocked.has(appBundle)) return;
    return refuse('app_blocked', { field, wanted: `not ${appBundle}`, met: appBundle });
  };
};
