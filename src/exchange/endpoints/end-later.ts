import type { ServerResponse } from 'node:http';

function end(response: ServerResponse, body: string | Uint8Array | undefined): void {
  response.end(body);
}

/**
 * Ends an answer, whose headers are set, at the end of this turn of the event loop. All answers of the turn are then
 * written one after the other. The first one wakes the process that reads them, which costs more than to write; the
 * others find it awake.
 */
export function endLater(response: ServerResponse, body?: string | Uint8Array): void {
  setImmediate(end, response, body);
}
