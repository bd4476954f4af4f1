import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import { type CpmMicros, cpmMicrosOf } from '../../money.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import { bidPrice } from '../bid-price.ts';

const decimal = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Short enough for a log. */
const shortened = (value: string) => value.slice(0, 100);

/** The tag's `FixedCpm`, else the document's first `<Pricing>`, which must be a CPM in USD. */
export function tagPrice(fixedCpmUsd: number, document: VastDocument): CpmMicros | Refusal {
  if (fixedCpmUsd > 0) return cpmMicrosOf(fixedCpmUsd);
  const pricing = document.ads.find((ad) => ad.pricing !== undefined)?.pricing;
  if (pricing === undefined) {
    return refuse('invalid_price', { field: 'FixedCpm', wanted: 'FixedCpm or <Pricing>', met: '' });
  }
  const { model, currency, value } = pricing;
  if (model.trim().toLowerCase() !== 'cpm') {
    return refuse('invalid_price', { field: 'Pricing', wanted: 'CPM', met: shortened(model) });
  }
  if (currency.trim().toUpperCase() !== 'USD') {
    return refuse('currency_not_accepted', { field: 'Pricing', wanted: 'USD', met: shortened(currency) });
  }
  const price = decimal.test(value) ? bidPrice(Number(value)) : undefined;
  return (
    price ?? refuse('invalid_price', { field: 'Pricing', wanted: 'a price above 0', met: shortened(value) })
  );
}
