import type { Opportunity } from '../opportunity.ts';
import { type Reason, refuse } from '../reasons.ts';
import type { CheckRule } from './rule.ts';
import { numberIn } from './stored-values.ts';

/** The value that denies what has not been crawled; 0 does not ask, 1 allows it until then. */
const denyUntilCrawled = 2;

/** A check of a file that nothing crawls yet (docs/decisions.md), so that no inventory ever was. */
function uncrawled(
  field: string,
  reason: Reason,
  concerns: (inventory: Opportunity['inventory']) => boolean,
): CheckRule {
  const refusal = refuse(reason, { field, wanted: 'crawled', met: 'not crawled' });
  return {
    form: 'check',
    field,
    reason,
    compile(object) {
      if (numberIn(object, field) !== denyUntilCrawled) return undefined;
      return ({ inventory }) => (concerns(inventory) ? refusal : undefined);
    },
  };
}

/** `CheckAdsTxt` of an RTB EP: the ads.txt of sites. */
export const adsTxt = uncrawled(
  'CheckAdsTxt',
  'ads_txt_unavailable',
  ({ environment }) => environment === 'web',
);

/** `CheckAppAdsTxt`: the app-ads.txt of apps. */
export const appAdsTxt = uncrawled(
  'CheckAppAdsTxt',
  'ads_txt_unavailable',
  ({ environment }) => environment === 'app',
);

/** `CheckSellersJson`: the sellers.json of the publisher's system. */
export const sellersJson = uncrawled('CheckSellersJson', 'sellers_json_unavailable', () => true);
