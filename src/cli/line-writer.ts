import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Writes of this size to a pipe are not mixed with other threads' (Linux, pipe(7)). */
const atomicBytes = 4096;
const waitingBytesMax = 16 * 2 ** 20;
const retryMs = 100;

/** Asynchronous, to a file, pipe or terminal. */
export interface LineWriter extends DestinationStream {
  /** Resolves when nothing waits any more. */
  drained(): Promise<void>;
  /** Writes what is waiting at once, for the end of the process. */
  flush(): void;
}

interface Chunk {
  text: string;
  bytes: number;
}

/** Lines are lost if they cannot be written, and beyond 16 MiB waiting. */
export function createLineWriter(fd: number): LineWriter {
  const waiting: Chunk[] = [];
  let waitingBytes = 0;
  let idle: PromiseWithResolvers<void> | undefined;

  const send = (bytes: Buffer): void =>
    write(fd, bytes, (error, count) => {
      // A non-blocking pipe with a slow reader.
      if (error?.code === 'EAGAIN') setTimeout(send, retryMs, bytes);
      else if (error || count === bytes.length) sendNext();
      else send(bytes.subarray(count));
    });
  const take = () => {
    const chunk = waiting.shift();
    waitingBytes -= chunk?.bytes ?? 0;
    return chunk;
  };
  const sendNext = () => {
    const chunk = take();
    if (chunk) return send(Buffer.from(chunk.text));
    idle?.resolve();
    idle = undefined;
  };
  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > waitingBytesMax) return;
      waitingBytes += bytes;
      const last = waiting.at(-1);
      if (last && last.bytes + bytes <= atomicBytes) {
        last.text += line;
        last.bytes += bytes;
      } else waiting.push({ text: line, bytes });
      if (idle) return;
      idle = Promise.withResolvers();
      sendNext();
    },
    drained: async () => idle?.promise,
    flush() {
      try {
        for (let chunk = take(); chunk; chunk = take()) writeSync(fd, chunk.text);
      } catch {
        // What cannot be written is lost.
      }
    },
  };
}
