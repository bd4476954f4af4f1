import type { SentPublisher } from '../../../protocols/openrtb/objects/inventory.ts';
import type { BidRequest, SentRequest } from '../../../protocols/openrtb/objects/request.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import type { Solicitation } from '../demand-kind.ts';
import { supplyPart } from './supply-part.ts';

interface Seller {
  readonly id: string;
  readonly publisher: SentPublisher;
}

function sellerOf({ opportunity, supply: { id, account } }: Solicitation): Seller {
  const { name, platformDomain, sellerId } = account;
  return {
    id: String(id),
    publisher: {
      id: opportunity.sellerId || sellerId,
      name: name || undefined,
      domain: platformDomain || undefined,
    },
  };
}

type Medium = NonNullable<BidRequest['site'] | BidRequest['app']>;

/** With the endpoint's own categories, unless the request's are of another taxonomy. */
function categoriesOf(medium: Medium, own: readonly string[]): Pick<Medium, 'cat' | 'cattax'> {
  const { cat = [], sectioncat = [], pagecat = [], cattax } = medium;
  const isOwnTaxonomy = (cattax ?? iabTaxonomy) === iabTaxonomy;
  const isTold = cat.length + sectioncat.length + pagecat.length > 0;
  if (own.length === 0 || (!isOwnTaxonomy && isTold)) return { cat: medium.cat, cattax } as Medium;
  return { cat: [...new Set([...own, ...cat])] };
}

/** As the sender described it; else a site of which nothing is known. */
export function inventoryOf(
  { site, app, dooh }: Partial<BidRequest>,
  solicitation: Solicitation,
): Pick<SentRequest, 'site' | 'app' | 'dooh'> {
  const seller = sellerOf(solicitation);
  const { categories } = supplyPart(solicitation.supply);
  const medium = <M extends Medium>(said: M) => ({
    ...said,
    cat: undefined,
    cattax: undefined,
    ...categoriesOf(said, categories),
    ...seller,
  });
  return {
    site: app || dooh ? undefined : medium(site ?? {}),
    app: app && medium(app),
    dooh: dooh && { ...dooh, ...seller },
  };
}
