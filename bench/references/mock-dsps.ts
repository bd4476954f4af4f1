import { createServer } from 'node:http';
import { answerTo, idOf } from './bid-answer.ts';
import { printUrl } from './print-url.ts';

/** Bids on every OpenRTB request at once; `GET /last` answers the last body. `node mock-dsps.ts` */
let last = '';

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(last);
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    last = body;
    response.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(idOf(body)));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => printUrl(server));
