import { isConnectionHeader } from '../../../reference/connection-headers.ts';

/** From lines of `Name: value`, without those of the connection. */
export function headersOfLines(lines: string): Record<string, string> {
  const rows = lines.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    return name === '' || isConnectionHeader(name) ? [] : [[name, line.slice(colon + 1).trim()]];
  });
  return Object.fromEntries(rows);
}
