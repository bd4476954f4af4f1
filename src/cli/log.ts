import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { createLineWriter, type LineWriter } from './line-writer.ts';
import { readableLine } from './readable-line.ts';

const credentials = ['authorization', 'Authorization', 'Password', 'AccessToken', 'Key', 'auth', 'password'];

/** A worker's `process.stderr` has no descriptor: it goes through the first thread. */
const stderr = 2;

/** For people on a terminal; the rest is written at exit. */
export function stderrLines(): LineWriter {
  const lines = createLineWriter(stderr);
  process.once('exit', lines.flush);
  return isatty(stderr) ? { ...lines, write: (line) => lines.write(readableLine(line)) } : lines;
}

/** JSON lines. Values named like credentials are left out, down to the third level. */
export function createLogger(level: LogLevel, lines: DestinationStream = stderrLines()): Logger {
  const paths = credentials.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, lines);
}
