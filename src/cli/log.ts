import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { createLineWriter, type LineWriter } from './line-writer.ts';
import { readableLine } from './readable-line.ts';

const credentials = ['authorization', 'Authorization', 'Password', 'AccessToken', 'Key', 'auth', 'password'];

/** File descriptor of stderr. A worker's `process.stderr` has none: it goes through the first thread. */
const stderr = 2;

/** Writes whole lines to stderr, in a form for people on a terminal; what is waiting at exit is written then. */
export function stderrLines(): LineWriter {
  const lines = createLineWriter(stderr);
  process.once('exit', lines.flush);
  return isatty(stderr) ? { ...lines, write: (line) => lines.write(readableLine(line)) } : lines;
}

/**
 * The program's log: a JSON line for each record. Values with the name of a credential are not written, down to the
 * third level.
 */
export function createLogger(level: LogLevel, lines: DestinationStream = stderrLines()): Logger {
  const paths = credentials.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, lines);
}
