import { appendNode, type SupplyChain } from '../../../protocols/openrtb/supply-chain.ts';
import type { Opportunity } from '../../opportunity.ts';
import { ownHost } from '../../own-host.ts';
import type { Demand } from '../../snapshot/demand.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { Solicitation } from '../demand-kind.ts';
import { demandPart } from './demand-part.ts';

/** None, as received, or with our node added. */
export type ChainForm = 'none' | 'passed' | 'extended';

/** By `DiscardSchain` and `AddSchainNode` of both sides. */
export function chainForm(demand: Demand, supply: Supply): ChainForm {
  const { discardsChain, addsNode } = demandPart(demand);
  if (discardsChain || supply.settings.DiscardSchain === 1) return 'none';
  return addsNode || supply.settings.AddSchainNode === 1 ? 'extended' : 'passed';
}

/** Without the member that only our rules need. */
function receivedOf({ supplyChain }: Opportunity): SupplyChain | undefined {
  if (supplyChain === undefined) return undefined;
  const { hasOwnNode: _, ...chain } = supplyChain;
  return { ver: '1.0', ...chain };
}

/** Marked complete if the supply object sets `SetSchainComplete`; undefined if there is none. */
export function chainOf(form: ChainForm, solicitation: Solicitation): SupplyChain | undefined {
  const { opportunity, supply, baseUrl } = solicitation;
  const received = receivedOf(opportunity);
  if (form === 'none' || (form === 'passed' && received === undefined)) return undefined;
  const node = {
    asi: ownHost(baseUrl),
    sid: opportunity.sellerId || supply.account.sellerId,
    hp: 1,
    rid: opportunity.auctionId,
  };
  const chain = form === 'extended' ? appendNode(received, node) : received;
  return chain && supply.settings.SetSchainComplete === 1 ? { ...chain, complete: 1 } : chain;
}
