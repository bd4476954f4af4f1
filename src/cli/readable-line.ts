import { pino } from 'pino';

/** What a terminal may take for commands (ECMA-48), except the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
const controls = /[\0-\x09\x0b-\x1f\x7f-\x9f]/g;

function harmless(text: string): string {
  return text.replaceAll(controls, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function clock(timeMs: unknown): string {
  return new Date(Number(timeMs)).toTimeString().slice(0, 8);
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/** With its causes, indented below the record. */
function errorLines(error: unknown): string {
  const { stack } = (error ?? {}) as { readonly stack?: unknown };
  return `\n${typeof stack === 'string' ? stack : JSON.stringify(error)}`.replaceAll('\n', '\n    ');
}

/** `14:03:07 INFO  thread serves  thread=0`, without terminal commands. */
export function readableLine(line: string): string {
  let record: Readonly<Record<string, unknown>>;
  try {
    record = JSON.parse(line);
  } catch {
    return harmless(line);
  }
  const { level, time, msg = '', err, ...others } = record;
  const name = (pino.levels.labels[Number(level)] ?? String(level)).toUpperCase().padEnd(5);
  const values = Object.entries(others).map(([key, value]) => ` ${key}=${shown(value)}`);
  const head = [clock(time), name, msg].join(' ') + (values.length > 0 ? ` ${values.join('')}` : '');
  return `${harmless(head.replaceAll('\n', '\\n') + (err === undefined ? '' : errorLines(err)))}\n`;
}
