import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import type { FanOut } from '../servers/references.ts';
import { printUrl } from './print-url.ts';

/** Makes the same calls with undici for each request, answers the same bytes. `node fan-out.ts <file of the work>` */
const [, , file = ''] = process.argv;
const { urls, body, answer }: FanOut = JSON.parse(readFileSync(file, 'utf8'));
const dispatcher = new Agent({ connections: 512 });
const headers = { 'content-type': 'application/json', 'x-openrtb-version': '2.6' };
const bytes = Buffer.from(answer);

async function ask(url: string): Promise<string> {
  const { body: got } = await request(url, { method: 'POST', headers, body, dispatcher });
  return got.text();
}

const server = createServer(async (_request, response) => {
  await Promise.all(urls.map(ask));
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': bytes.length });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => printUrl(server));
