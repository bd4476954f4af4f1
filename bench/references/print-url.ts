import type { Server } from 'node:net';

/** Prints the line by which the bench learns where a reference listens, and answers the port. */
export function printUrl(server: Server): number {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`serves at http://127.0.0.1:${port}`);
  return port;
}
