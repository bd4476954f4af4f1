import { get } from 'node:http';
import type { Measure } from '../measure.ts';
import { type ConsoleBench, tags } from './console-bench.ts';

const bytesPerKilobyte = 1000;
const columns = [
  'Name',
  'PublisherName',
  'Status',
  'Bidfloor',
  'MaxQps',
  'TodayRevenue',
  'YesterdayRevenue',
  'TodayFillRate',
  'Qps',
  'Secure',
];

/** Bytes of an answer's body, as they come; the answer must be compressed. */
function receivedBytes(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = { headers: { ...headers, 'accept-encoding': 'br, gzip' } };
    get(url, sent, (answer) => {
      const { 'content-encoding': encoding } = answer.headers;
      if (answer.statusCode !== 200 || encoding === undefined) {
        reject(new Error(`${url} answered ${answer.statusCode}, encoding ${encoding}`));
      }
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.on('end', () => resolve(bytes)).on('error', reject);
    }).on('error', reject);
  });
}

/** Ten columns of 10,000 objects as a browser receives them. */
export const wire: Measure<ConsoleBench> = {
  name: 'wire',
  async run(bench) {
    const { server, api } = await bench.filled();
    const path = `${server.url}/api/ortb/vasttag/get`;
    const kilobytes = async (query: string) =>
      (await receivedBytes(path + query, api.headers)) / bytesPerKilobyte;
    return [
      {
        title: `List of ${tags.toLocaleString('en')}, ten columns, on the wire`,
        targets: [{ what: '', value: await kilobytes(`?Fields=${columns}`), unit: 'kilobytes', atMost: 500 }],
        details: [{ what: 'all columns', value: await kilobytes(''), unit: 'kilobytes' }],
      },
    ];
  },
};
