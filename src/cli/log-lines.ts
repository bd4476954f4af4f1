import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Writes of so many bytes to a pipe stay whole beside those of other threads (Linux, pipe(7)). */
const atomicBytes = 4096;
const waitingBytesMax = 16 * 2 ** 20;
const retryMs = 100;

/** Lines on their way to a file, a pipe or a terminal, while the program goes on. */
export interface LogLines extends DestinationStream {
  /** Resolves when nothing waits any more. */
  written(): Promise<void>;
  /** Writes at once what waits still: for the end of the process. */
  flush(): void;
}

/** Whole lines that are written together. */
interface Chunk {
  text: string;
  bytes: number;
}

/**
 * Lines to a file descriptor. What cannot be written, as the disk is full or nobody reads, is lost, as is what comes
 * while 16 MiB wait: a server serves on without its log, and goes on with that as soon as it can be written again.
 */
export function linesTo(fd: number): LogLines {
  const waiting: Chunk[] = [];
  let waitingBytes = 0;
  let idle: PromiseWithResolvers<void> | undefined;

  const send = (bytes: Buffer): void =>
    write(fd, bytes, (error, count) => {
      // A pipe that does not block, and whose reader is slow.
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
    written: async () => idle?.promise,
    flush() {
      try {
        for (let chunk = take(); chunk; chunk = take()) writeSync(fd, chunk.text);
      } catch {
        // It is lost.
      }
    },
  };
}
