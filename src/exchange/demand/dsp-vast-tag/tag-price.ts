import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import { currencyAt, type RatedAt, rateAt, refuseCurrency, usd } from '../../currency.ts';
import { cpmMicrosOf } from '../../money.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import { priceIn } from '../bid-price.ts';
import type { Bid } from '../demand-kind.ts';

const decimal = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Short enough for a log. */
const shortened = (value: string) => value.slice(0, 100);

type Price = Pick<Bid, 'priceCpmMicros' | 'foreign'>;

interface PricedTag {
  readonly FixedCpm: number;
  readonly Currency: string;
}

function fixedPrice({ FixedCpm, Currency }: PricedTag, at: RatedAt): Price | Refusal {
  const foreign = currencyAt(Currency, 'Currency', at);
  if (foreign === undefined) return { priceCpmMicros: cpmMicrosOf(FixedCpm) };
  if ('reason' in foreign) return foreign;
  return priceIn(FixedCpm, foreign) ?? refuse('invalid_price', { field: 'FixedCpm', met: FixedCpm });
}

/** The tag's `FixedCpm`, else the document's first `<Pricing>`, which must be a CPM; if it names no currency, the tag's. */
export function tagPrice(tag: PricedTag, document: VastDocument, at: RatedAt): Price | Refusal {
  if (tag.FixedCpm > 0) return fixedPrice(tag, at);
  const pricing = document.ads.find((ad) => ad.pricing !== undefined)?.pricing;
  if (pricing === undefined) {
    return refuse('invalid_price', { field: 'FixedCpm', wanted: 'FixedCpm or <Pricing>', met: '' });
  }
  const { model, currency, value } = pricing;
  if (model.trim().toLowerCase() !== 'cpm') {
    return refuse('invalid_price', { field: 'Pricing', wanted: 'CPM', met: shortened(model) });
  }
  const code = currency.trim().toUpperCase() || tag.Currency;
  const usdPerUnit = rateAt(at, code);
  if (usdPerUnit === undefined) return refuseCurrency('Pricing', shortened(currency));
  const foreign = code === usd ? undefined : { currency: code, usdPerUnit };
  const price = decimal.test(value) ? priceIn(Number(value), foreign) : undefined;
  return (
    price ?? refuse('invalid_price', { field: 'Pricing', wanted: 'a price above 0', met: shortened(value) })
  );
}
