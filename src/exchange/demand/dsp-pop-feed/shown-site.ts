import type { Demand } from '../../snapshot/demand.ts';
import type { Solicitation } from '../demand-kind.ts';

/**
 * The solicitation as a DSP Pop Feed may see it. It shows the platform's site if `SendOriginalSite` of either side is
 * 0, else the publisher's own page.
 */
export function withShownSite(demand: Demand, solicitation: Solicitation): Solicitation {
  const { supply, opportunity, baseUrl } = solicitation;
  const { inventory } = opportunity;
  const isHidden = supply.settings.SendOriginalSite === 0 || demand.settings.SendOriginalSite === 0;
  const own = inventory.pageUrl || (inventory.domain === '' ? '' : `https://${inventory.domain}/`);
  const pageUrl = isHidden ? `${baseUrl}/` : own;
  return { ...solicitation, opportunity: { ...opportunity, inventory: { ...inventory, pageUrl } } };
}
