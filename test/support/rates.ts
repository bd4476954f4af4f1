import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Exchange rates in Prebid's form, of a day: one EUR is 1.0857 USD, one JPY 0.00667. */
export function writeRates(folder: string, date: string): string {
  const file = join(folder, 'rates.json');
  const conversions = { EUR: { USD: 1.0857 }, JPY: { USD: 0.00667 } };
  writeFileSync(file, JSON.stringify({ dataAsOf: date, conversions }));
  return file;
}

/** Waits until a server has read its exchange rates. */
export async function ratesRead(url: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (/^bourse_rates_published_seconds [1-9]/m.test(metrics)) return;
    await new Promise(setImmediate);
  }
}

export const today = () => new Date().toJSON().slice(0, 10);
