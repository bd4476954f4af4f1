import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';

const credentials = ['authorization', 'Authorization', 'Password', 'AccessToken', 'Key', 'auth', 'password'];

/** Writes of so many bytes to a pipe stay whole beside those of other threads (Linux, pipe(7)). */
const atomicBytes = 4096;

/** Whole lines to stderr, while the program goes on. */
export function stderrLines() {
  return destination({ dest: 2, sync: false, maxWrite: atomicBytes });
}

/** The program's log: JSON lines. What is named like a credential is not written, wherever it stands. */
export function createLogger(level: LogLevel, lines: DestinationStream = stderrLines()): Logger {
  const paths = credentials.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, lines);
}
