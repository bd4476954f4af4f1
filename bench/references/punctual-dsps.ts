import { createServer, type Socket } from 'node:net';
import { nap } from '../nap.ts';
import { answerTo, idOf } from './bid-answer.ts';
import { printUrl } from './print-url.ts';

/**
 * Bids exactly so long after each request; `GET /last` answers the last body. `node punctual-dsps.ts <milliseconds>`
 */
const [, , afterMs = ''] = process.argv;
const headEnd = '\r\n\r\n';

interface Due {
  readonly socket: Socket;
  readonly id: string;
  readonly atMs: number;
}

const dues: Due[] = [];
let last = '';
let isAnswering = false;

function answer(socket: Socket, body: string): void {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  socket.write(head + headEnd + body, 'latin1');
}

async function answerDue(): Promise<void> {
  isAnswering = true;
  while (dues.length > 0) {
    const nowMs = performance.now();
    const later = dues.findIndex(({ atMs }) => atMs > nowMs);
    for (const { socket, id } of dues.splice(0, later === -1 ? dues.length : later)) {
      answer(socket, answerTo(id));
    }
    await nap();
  }
  isAnswering = false;
}

/** Takes a request from the text if it is whole there; returns how many bytes it took, 0 if it is not whole. */
function take(socket: Socket, text: string): number {
  const start = text.indexOf(headEnd) + headEnd.length;
  const end = start + Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  if (start < headEnd.length || text.length < end) return 0;
  if (text.startsWith('GET')) {
    answer(socket, last);
    return end;
  }
  last = text.slice(start, end);
  dues.push({ socket, id: idOf(last), atMs: performance.now() + Number(afterMs) });
  if (!isAnswering) void answerDue();
  return end;
}

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
    text = text.slice(take(socket, text));
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => printUrl(server));
