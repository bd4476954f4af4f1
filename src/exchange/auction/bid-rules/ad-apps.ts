import { nonEmptyLines } from '../../non-empty-lines.ts';
import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** `AdAppsBlacklist`: applications that are not advertised here, by identifier. */
export const adApps: BidRule = ({ settings }) => {
  const field = 'AdAppsBlacklist';
  const blocked = new Set(nonEmptyLines(settings[field]));
  if (blocked.size === 0) return;
  return ({ appBundle }) => {
    if (!blocked.has(appBundle)) return;
    return refuse('app_blocked', { field, wanted: `not ${appBundle}`, met: appBundle });
  };
};
