import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';

/** A demand partner on loopback. */
export interface Partner extends Loopback {
  /** What was asked for so far. */
  readonly seen: IncomingMessage[];
}

/** Starts a partner that answers by path; what has no answer gets 204. */
export async function startPartner(
  answers: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>>,
): Promise<Partner> {
  const seen: IncomingMessage[] = [];
  const server = createServer((incoming, response) => {
    seen.push(incoming);
    const answer = answers[(incoming.url ?? '').split('?', 1)[0] ?? ''];
    if (answer) answer(response, incoming);
    else response.writeHead(204).end();
  });
  return { ...(await listenOnLoopback(server)), seen };
}
