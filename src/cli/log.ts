import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { type LogLines, linesTo } from './log-lines.ts';

const credentials = ['authorization', 'Authorization', 'Password', 'AccessToken', 'Key', 'auth', 'password'];

/** File descriptor of stderr: a worker's `process.stderr` goes through the first thread, and has none. */
const stderr = 2;

/** Whole lines to stderr, also those that wait when the thread ends. */
export function stderrLines(): LogLines {
  const lines = linesTo(stderr);
  process.once('exit', lines.flush);
  return lines;
}

/** The program's log: JSON lines. What is named like a credential is not written, wherever it stands. */
export function createLogger(level: LogLevel, lines: DestinationStream = stderrLines()): Logger {
  const paths = credentials.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, lines);
}
