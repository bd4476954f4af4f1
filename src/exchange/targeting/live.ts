import { appStorePage } from '../crawl/app-page.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Reason } from '../reasons.ts';
import { allButKeys, singleKey } from './keys.ts';
import type { KeyRule, SettingWith } from './rule.ts';

const notLive = 'not live';

/** Switched on by its flag; refuses a subject that was not found. `subjectOf` returns `""` if there is none. */
function liveRule(
  field: SettingWith<number>,
  reason: Reason,
  kind: 'site' | 'app',
  subjectOf: (opportunity: Opportunity) => string,
): KeyRule {
  return {
    form: 'keys',
    field,
    reason,
    keysOf(opportunity) {
      const subject = subjectOf(opportunity);
      const isOut = subject !== '' && opportunity.crawled?.find(kind, subject) === 'no';
      return singleKey(isOut ? notLive : '');
    },
    restriction: (object) => (object.settings[field] === 1 ? allButKeys([notLive]) : undefined),
    metOf: subjectOf,
  };
}

/** `CheckSiteLive`: a site not asked yet passes. */
export const siteLive = liveRule('CheckSiteLive', 'site_not_live', 'site', ({ inventory }) =>
  inventory.environment === 'app' ? '' : inventory.domain,
);

/** `CheckAppStore`: an app not known yet passes. */
export const appLive = liveRule('CheckAppStore', 'app_not_live', 'app', ({ inventory }) =>
  inventory.environment === 'app' ? appStorePage(inventory) : '',
);
