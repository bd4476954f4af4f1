import type { ServerResponse } from 'node:http';

function end(response: ServerResponse, body: string | Uint8Array | undefined): void {
  response.end(body);
}

/** At the end of this tick, so that a tick's answers are written in a row: only the first wakes the reader. */
export function endLater(response: ServerResponse, body?: string | Uint8Array): void {
  setImmediate(end, response, body);
}
