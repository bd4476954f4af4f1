import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that a test has started. */
export interface Loopback extends AsyncDisposable {
  readonly url: string;
  /** Ends its connections, too. */
  close(): Promise<void>;
}

/** Lets a server listen at a free port of 127.0.0.1. */
export async function listenOnLoopback(server: Server): Promise<Loopback> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}
