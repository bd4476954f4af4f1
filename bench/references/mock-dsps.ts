import { createServer } from 'node:http';
import { sayWhere } from './say-where.ts';

/**
 * Bids on every OpenRTB request, at once or after `?ms=`; `GET /last` tells the body of the last one.
 * `node mock-dsps.ts`
 */
const media = `<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">
  <![CDATA[https://cdn.example/film.mp4]]></MediaFile>`;
const vast = `<VAST version="3.0"><Ad id="mock"><InLine><AdSystem>Mock</AdSystem><AdTitle>Film</AdTitle>
  <Impression><![CDATA[https://dsp.example/impression?p=\${AUCTION_PRICE}]]></Impression><Creatives><Creative><Linear>
  <Duration>00:00:15</Duration><MediaFiles>${media}</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
const bid = { id: 'b', impid: '1', price: 3, crid: 'film', adomain: ['brand.example'], mtype: 2, adm: vast };
const answerTo = (id: string) => JSON.stringify({ id, cur: 'USD', seatbid: [{ bid: [bid] }] });
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
    const id = /"id":"([^"]*)"/.exec(body)?.[1] ?? '';
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(id));
    const waitMs = Number(/[?&]ms=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    if (waitMs === 0) answer();
    else setTimeout(answer, waitMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => sayWhere(server));
