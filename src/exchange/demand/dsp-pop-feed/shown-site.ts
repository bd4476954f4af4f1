import type { Demand } from '../../snapshot/demand.ts';
import type { Solicitation } from '../demand-kind.ts';

/** Shows the platform's site instead of the publisher's page if either side's `SendOriginalSite` is 0. */
export function withShownSite(demand: Demand, solicitation: Solicitation): Solicitation {
  const { supply, opportunity, baseUrl } = solicitation;
  const { inventory } = opportunity;
  const isHidden = supply.settings.SendOriginalSite === 0 || demand.settings.SendOriginalSite === 0;
  const own = inventory.pageUrl || (inventory.domain === '' ? '' : `https://${inventory.domain}/`);
  const pageUrl = isHidden ? `${baseUrl}/` : own;
  return { ...solicitation, opportunity: { ...opportunity, inventory: { ...inventory, pageUrl } } };
}
