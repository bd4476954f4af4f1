import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createAnswerReader } from '../load/answer-reader.ts';
import type { FanOut } from '../servers/references.ts';
import { printUrl } from './print-url.ts';

/** Makes the same calls over plain sockets for each request, answers the same bytes. `node plain-fan-out.ts <file>` */
const [, , file = ''] = process.argv;
const { urls, body, answer }: FanOut = JSON.parse(readFileSync(file, 'utf8'));
const bytes = Buffer.from(answer);

interface Line {
  readonly socket: Socket;
  answered: () => void;
}

function open(host: string, port: number): Line {
  const read = createAnswerReader();
  const socket = connect({ host, port, noDelay: true });
  const line: Line = { socket, answered: () => undefined };
  socket.on('data', (part: Buffer) => {
    if (read(part) !== undefined) line.answered();
  });
  return line;
}

/** Calls a URL: one write of bytes that are always the same, on a connection that waits for nothing else. */
function caller(url: string): () => Promise<void> {
  const { hostname, port, host, pathname } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
  const request = Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const idle: Line[] = [];
  return () =>
    new Promise((resolve) => {
      const line = idle.pop() ?? open(hostname, Number(port));
      line.answered = () => {
        idle.push(line);
        resolve();
      };
      line.socket.write(request);
    });
}

const callers = urls.map(caller);
const server = createServer(async (_request, response) => {
  await Promise.all(callers.map((call) => call()));
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': bytes.length });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => printUrl(server));
