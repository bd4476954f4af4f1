import { type RatesResult, type RatesSubject, ratesFile } from '../exchange/rates.ts';
import { createPublishedHost, type HostOptions } from './published-host.ts';

export function createRatesHost(options: HostOptions<RatesSubject>) {
  let last: RatesResult | undefined;
  return createPublishedHost<RatesSubject, RatesResult>(options, {
    setting: 'BOURSE_RATES_FILE',
    filesMax: 1,
    fileSubject: ratesFile,
    mayFetch: () => true,
    unknown:
      'no exchange rates are known: currencies other than USD are refused; let this server reach the URL of BOURSE_RATES_URL, or set BOURSE_RATES_FILE',
    stays: 'exchange rates could not be read; the last good ones stay',
    wasRead: 'exchange rates were read',
    keep(result) {
      last = result;
      const { date, usdPerUnit } = result.rates;
      return { date, currencies: usdPerUnit.size };
    },
    kept: () => (last === undefined ? [] : [last]),
  });
}
