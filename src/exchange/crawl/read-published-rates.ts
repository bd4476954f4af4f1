import { readRates } from '../../protocols/rates/read-rates.ts';
import type { RatesResult, RatesSubject } from '../rates.ts';
import { createTextReader, type PublishedTextOptions } from './published-text.ts';

/** Prebid's file, and the European Central Bank's, have less than 10 kB. */
export const ratesBytesMax = 1024 * 1024;

/** Reads the rates, from the host or from a file. Never rejects. */
export function createRatesReader({
  url,
  ...options
}: Omit<PublishedTextOptions, 'bytesMax'> & { readonly url: string }) {
  const readText = createTextReader({ ...options, bytesMax: ratesBytesMax });
  return async (subject: RatesSubject): Promise<RatesResult> => {
    const [, kind, path = ''] = subject.split('\t');
    const found = await readText(kind === 'file' ? { path } : { url }, readRates);
    return 'fault' in found ? { subject, ...found } : { subject, rates: found.value };
  };
}
