import { once } from 'node:events';
import { connect } from 'node:net';
import { createAnswerReader, type Read } from './answer-reader.ts';

const readBytes = 65_536;

/** A connection that has one request under way at a time. */
export interface LoadConnection {
  /** Whether the server has left it open. */
  isOpen(): boolean;
  /** Sends a request that was due at `dueMs`, in milliseconds of `performance.now()`. */
  send(request: Buffer, dueMs: number): void;
}

/** Called with an answer, and with how long it took from the time at which its request was due. */
export type Answered = (connection: LoadConnection, waitMs: number, read: Read) => void;

export interface LoadConnections extends Disposable {
  readonly all: readonly LoadConnection[];
  /** Throws if a connection ended with a request under way, because that will never be answered. */
  throwOnFailure(): void;
}

/** Opens connections, and calls `answered` with each answer. Rejects if one cannot be opened. */
export async function openConnections(
  origin: string,
  connections: number,
  answered: Answered,
): Promise<LoadConnections> {
  const { hostname: host, port } = new URL(origin);
  // All read into one buffer: a new one for each answer would keep the garbage collector busy.
  const buffer = Buffer.alloc(readBytes);
  const faults: unknown[] = [];
  const open = () => {
    const read = createAnswerReader();
    let sinceMs: number | undefined;
    const callback = (bytes: number): boolean => {
      const whole = read(buffer.subarray(0, bytes));
      if (!whole || sinceMs === undefined) return true;
      const waitMs = performance.now() - sinceMs;
      sinceMs = undefined;
      answered(connection, waitMs, whole);
      return true;
    };
    const socket = connect({ host, port: Number(port), noDelay: true, onread: { buffer, callback } });
    const connection: LoadConnection = {
      isOpen: () => socket.writable,
      send: (request, dueMs) => {
        sinceMs = dueMs;
        socket.write(request);
      },
    };
    const watch = (): void => {
      let fault: unknown = new Error('a connection was closed before its answer');
      socket.on('error', (error) => {
        fault = error;
      });
      // A server may close a connection on which no request is under way.
      socket.on('close', () => sinceMs !== undefined && faults.push(fault));
    };
    return { connection, socket, watch };
  };
  const opened = Array.from({ length: connections }, open);
  await Promise.all(opened.map(({ socket }) => once(socket, 'connect')));
  for (const { watch } of opened) watch();
  return {
    all: opened.map(({ connection }) => connection),
    throwOnFailure: () => {
      if (faults.length > 0) throw faults[0];
    },
    [Symbol.dispose]: () => {
      for (const { socket } of opened) socket.destroy();
    },
  };
}
