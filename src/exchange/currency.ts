import { type CpmMicros, cpmMicrosOf, cpmUsdOf, floorMicrosOf } from './money.ts';
import { type Refusal, refuse } from './reasons.ts';

export const usd = 'USD';

/** One table of rates, which an auction uses from its beginning to its end. */
export interface AuctionRates {
  /** What one unit is worth in USD; undefined if the currency is not known, or the rates are too old by then. */
  of(currency: string, timeMs: number): number | undefined;
}

/** A currency other than USD, at its auction's rate. */
export interface ForeignCurrency {
  readonly currency: string;
  readonly usdPerUnit: number;
}

/** For 1,000 impressions. */
export interface ForeignPrice extends ForeignCurrency {
  readonly cpm: number;
}

export interface RatedAt {
  readonly rates?: AuctionRates | undefined;
  readonly timeMs: number;
}

/** Whether an object's `Currency` is not USD. */
export const isForeign = (currency: string | undefined): currency is string =>
  currency !== undefined && currency !== '' && currency !== usd;

export function rateAt({ rates, timeMs }: RatedAt, currency: string): number | undefined {
  return currency === usd ? 1 : rates?.of(currency, timeMs);
}

export const refuseCurrency = (field: string, met: unknown): Refusal =>
  refuse('currency_not_accepted', { field, wanted: 'USD, or a currency with a current rate', met });

/** Undefined for USD; a refusal without a current rate. */
export function currencyAt(
  currency: string | undefined,
  field: string,
  at: RatedAt,
): ForeignCurrency | Refusal | undefined {
  if (!isForeign(currency)) return undefined;
  const usdPerUnit = rateAt(at, currency);
  return usdPerUnit === undefined ? refuseCurrency(field, currency) : { currency, usdPerUnit };
}

const microsPerUsd = 1_000_000;

/**
 * To the nearest, for floors and bids alike: the same amount is the same price, so that a bid at its floor passes at
 * every rate, and neither side is off by more than half a micro (decisions/0006).
 */
export function foreignMicros(cpm: number, { usdPerUnit }: Pick<ForeignCurrency, 'usdPerUnit'>): CpmMicros {
  return Math.round(cpm * usdPerUnit * microsPerUsd);
}

/** So many that `foreignMicros` of the amount are the micros it was made of, at any rate up to 100 USD. */
const decimals = 9;

export function amountIn(cpmMicros: CpmMicros, { usdPerUnit }: Pick<ForeignCurrency, 'usdPerUnit'>): number {
  return Number((cpmMicros / microsPerUsd / usdPerUnit).toFixed(decimals));
}

export interface Floor {
  /** The greater of the supply object's and the request's. */
  readonly floorCpmMicros: CpmMicros;
  /** As it was named; absent for USD. */
  readonly foreignFloor?: ForeignPrice | undefined;
}

/** Of an amount in `foreign`, undefined = USD. */
export function floorOf(cpm: number, foreign: ForeignCurrency | undefined): Floor {
  if (foreign === undefined) return { floorCpmMicros: floorMicrosOf(cpm) };
  return { floorCpmMicros: foreignMicros(cpm, foreign), foreignFloor: { ...foreign, cpm } };
}

/** An amount that is sent on as a floor: a bid of it is at least the floor that it was made of. */
export function sentFloor(
  cpm: number,
  from: ForeignCurrency | undefined,
  to: ForeignCurrency | undefined,
): number {
  if (from === undefined && to === undefined) return cpmUsdOf(cpmMicrosOf(cpm));
  // Below a millionth of a micro is the noise of a margin.
  if (from?.currency === to?.currency) return Math.ceil(cpm * microsPerUsd - 1e-6) / microsPerUsd;
  const cpmMicros = from ? foreignMicros(cpm, from) : floorMicrosOf(cpm);
  return to ? Math.ceil(cpmMicros / to.usdPerUnit) / microsPerUsd : cpmUsdOf(cpmMicros);
}

interface FloorBounds {
  readonly Currency?: string | undefined;
  readonly MinBidfloor?: number | undefined;
  readonly MaxBidfloor?: number | undefined;
}

const dollar: ForeignCurrency = { currency: usd, usdPerUnit: 1 };

/**
 * Of an object whose prices are in another currency: its rate must be known, and its bounds hold at that rate. Bounds
 * in USD are rules of targeting, unless `isUntargeted`.
 */
export function refuseFloor(
  { Currency, MinBidfloor, MaxBidfloor }: FloorBounds,
  opportunity: RatedAt & Floor,
  isUntargeted = false,
): Refusal | undefined {
  const foreign = currencyAt(Currency, 'Currency', opportunity) ?? (isUntargeted ? dollar : undefined);
  if (foreign === undefined || 'reason' in foreign) return foreign;
  const { floorCpmMicros } = opportunity;
  const met = amountIn(floorCpmMicros, foreign);
  if (MaxBidfloor && floorCpmMicros > foreignMicros(MaxBidfloor, foreign)) {
    return refuse('floor_above_maximum', { field: 'MaxBidfloor', wanted: MaxBidfloor, met });
  }
  if (MinBidfloor && floorCpmMicros < foreignMicros(MinBidfloor, foreign)) {
    return refuse('floor_below_minimum', { field: 'MinBidfloor', wanted: MinBidfloor, met });
  }
  return undefined;
}
