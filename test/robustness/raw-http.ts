import { once } from 'node:events';
import { createConnection } from 'node:net';

/** What came back on a socket. */
export interface RawReply {
  /** Undefined where the server closed without an answer. */
  readonly status: number | undefined;
  readonly head: string;
  readonly body: string;
}

function parsed(text: string): RawReply {
  const whole = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const [head = '', ...rest] = whole.split('\r\n\r\n');
  const status = /^HTTP\/1\.\d (\d{3})/.exec(head)?.[1];
  return { status: status === undefined ? undefined : Number(status), head, body: rest.join('\r\n\r\n') };
}

/** Whether an answer with a content length is complete. */
function isWhole({ head, body }: RawReply): boolean {
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return length !== undefined && Buffer.byteLength(body) >= Number(length);
}

/**
 * Writes bytes to a server as they are, and reads until an answer is whole or the server closes. With `end`, our
 * side closes once everything is written.
 */
export async function rawHttp(port: number, bytes: string | Buffer, end = false): Promise<RawReply> {
  const socket = createConnection(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1');
  socket.on('error', () => undefined);
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (piece: string) => {
      text += piece;
      if (isWhole(parsed(text))) resolve();
    });
  });
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  if (end) socket.end();
  await Promise.race([whole, once(socket, 'close')]);
  socket.destroy();
  return parsed(text);
}
