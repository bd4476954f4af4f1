import type { ServerResponse } from 'node:http';

function end(response: ServerResponse, body: string | Uint8Array | undefined): void {
  response.end(body);
}

/**
 * Ends an answer whose headers are there when this turn of the event loop ends. The answers of one turn are then
 * written one after the other: the first wakes whoever reads them, which costs more than the writing, and the others
 * find it awake.
 */
export function endLater(response: ServerResponse, body?: string | Uint8Array): void {
  setImmediate(end, response, body);
}
