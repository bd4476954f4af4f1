import type { ServerResponse } from 'node:http';

function end(response: ServerResponse, body: string | Uint8Array | undefined): void {
  response.end(body);
}

/**
 * Ends an answer at the end of this tick, so that all of the tick are written in a row: only the first has to wake the
 * reading process.
 */
export function endLater(response: ServerResponse, body?: string | Uint8Array): void {
  setImmediate(end, response, body);
}
