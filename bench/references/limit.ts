import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { printUrl } from './print-url.ts';

/** Bare `node:http` that answers with a file from memory, in one thread or several. `node limit.ts <file> [threads]` */
const [, , file = '', threads = '1'] = process.argv;
const bytes = readFileSync(file);
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
const port: number = isMainThread ? 0 : workerData;
server.listen({ host: '127.0.0.1', port, reusePort: threads !== '1' }, () => {
  if (!isMainThread) return;
  const own = printUrl(server);
  for (let number = 1; number < Number(threads); number += 1)
    new Worker(new URL(import.meta.url), { argv: [file, threads], workerData: own });
});
