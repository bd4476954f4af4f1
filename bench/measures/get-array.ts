import { compare } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { startMinimum } from '../servers/references.ts';

const arraysPerTurn = 5;
const count = 10_000;

/** The rows of an array as texts, byte for byte as they are in it. Throws if they would differ. */
function rowTexts(array: string): string[] {
  const rows: unknown[] = JSON.parse(array);
  const texts = rows.map((row) => JSON.stringify(row));
  if (`[${texts.join(',')}]` !== array) throw new Error('the rows are not those of the array');
  return texts;
}

/** GET of an array of 10,000 DSP VAST Tags, compared to the minimum, which streams documents of the same bytes. */
export const getArray: Measure = {
  name: 'get-array',
  async run(bench) {
    const { server, api } = await bench.exchange();
    const path = `/api/ortb/dspvasttag/get?Limit=${count}`;
    const array = await api.get(path);
    await using minimum = await startMinimum(bench.folder, rowTexts(array));
    const request = { paths: [path], method: 'GET', headers: api.headers, connections: 1 } as const;
    const ofMinimum = { ...request, paths: ['/documents'], headers: minimum.headers };
    const title = `GET array of 10,000, ${(Buffer.byteLength(array) / 1e6).toFixed(1)} MB`;
    const references = [{ name: 'minimum', server: minimum.server, request: ofMinimum, atLeast: 0.4 }];
    const options = { by: 'bytesPerSecond', until: { answers: arraysPerTurn } } as const;
    return [await compare(bench, title, { server, request }, references, options)];
  },
};
