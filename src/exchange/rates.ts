import type { ExchangeRates } from '../protocols/rates/read-rates.ts';
import type { AuctionRates } from './currency.ts';

/** The newest of the host, or a file, by its path and when it was written. */
export type RatesSubject = `rates\t${string}`;

/** @internal */
export const newestRates: RatesSubject = 'rates\tnewest';
export const ratesFile = (path: string, writtenMs: number): RatesSubject =>
  `rates\tfile\t${path}\t${writtenMs}`;

export const isRates = (subject: string): subject is RatesSubject => subject.startsWith('rates\t');

export type RatesResult = { readonly subject: RatesSubject } & (
  | { readonly rates: ExchangeRates }
  /** Why there are none. */
  | { readonly fault: string }
);

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const requestWaitMs = 120_000;
/** They are published daily. */
const askAgainMs = { found: 6 * hourMs, missing: 15 * 60_000 };

export interface RatesOptions {
  readonly ask: (subject: RatesSubject) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** `BOURSE_RATES_DAYS`. */
  readonly days: number;
}

/** The exchange rates that a thread knows. Auctions ask these and never wait for them. */
export interface Rates {
  /** For an auction that begins now. */
  current(): AuctionRates;
  /** Day of publication, in milliseconds since 1970; 0 = none are known. */
  publishedMs(): number;
}

/** They are asked for once a currency is: who trades in USD fetches nothing. */
export function createRates({ ask, now, days }: RatesOptions): Rates & { learn(result: RatesResult): void } {
  let askAtMs = Number.NEGATIVE_INFINITY;
  let publishedMs = 0;
  const request = () => {
    const nowMs = now();
    if (nowMs < askAtMs) return;
    askAtMs = nowMs + requestWaitMs;
    ask(newestRates);
  };
  const madeOf = (usdPerUnit: ExchangeRates['usdPerUnit'], untilMs: number): AuctionRates => ({
    of(currency, timeMs) {
      request();
      return timeMs < untilMs ? usdPerUnit.get(currency) : undefined;
    },
  });
  let current = madeOf(new Map(), 0);
  return {
    current: () => current,
    publishedMs: () => publishedMs,
    /** A fault leaves what is known. */
    learn(result) {
      const isFault = 'fault' in result;
      askAtMs = now() + (isFault ? askAgainMs.missing : askAgainMs.found);
      if (isFault) return;
      publishedMs = Date.parse(`${result.rates.date}T00:00:00Z`);
      current = madeOf(result.rates.usdPerUnit, publishedMs + (days + 1) * dayMs);
    },
  };
}
