import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way through the network from one process to one engine, which a test can harm. */
export interface Relay {
  readonly port: number;
  /** Ends all connections by a reset; new ones are made at once. */
  reset(): void;
  /** From now on connections are refused and those that stand are reset; answers what ends that. */
  cut(): () => void;
  /** From now on nothing crosses, and nobody is told; answers what ends that. */
  stall(): () => void;
  close(): Promise<void>;
}

/** What may wait to cross one way of a connection; then its sender is made to wait. */
const bytesWaitingMax = 4 * 2 ** 20;

/** Lets what comes from one end reach the other later, in its order. */
function carry(from: Socket, to: Socket, delayMs: number, isStalled: () => boolean) {
  const waiting: { readonly chunk: Buffer | undefined; readonly atMs: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let bytes = 0;
  const send = () => {
    timer = undefined;
    while (!isStalled() && waiting[0] && waiting[0].atMs <= performance.now()) {
      const { chunk } = waiting.shift() as (typeof waiting)[number];
      bytes -= chunk?.length ?? 0;
      if (chunk === undefined) to.end();
      else to.write(chunk);
    }
    if (bytes < bytesWaitingMax) from.resume();
    plan();
  };
  const plan = () => {
    const [first] = waiting;
    if (first && !timer && !isStalled())
      timer = setTimeout(send, Math.max(0, first.atMs - performance.now()));
  };
  const take = (chunk: Buffer | undefined) => {
    bytes += chunk?.length ?? 0;
    waiting.push({ chunk, atMs: performance.now() + delayMs });
    if (bytes >= bytesWaitingMax) from.pause();
    plan();
  };
  from.on('data', take).on('end', () => take(undefined));
  return { goOn: plan, end: () => clearTimeout(timer) };
}

/** Leads from a port of its own to a port of 127.0.0.1; each direction takes `delayMs`. */
export async function startRelay(toPort: number, delayMs: number): Promise<Relay> {
  const pairs = new Set<{ readonly ends: readonly Socket[]; readonly goOn: () => void }>();
  let isCut = false;
  let isStalled = false;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: toPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const ways = [carry(near, far, delayMs, () => isStalled), carry(far, near, delayMs, () => isStalled)];
    const goOn = () => {
      for (const way of ways) way.goOn();
    };
    const pair = { ends: [near, far], goOn };
    const end = () => {
      pairs.delete(pair);
      for (const way of ways) way.end();
      for (const socket of pair.ends) socket.destroy();
    };
    pairs.add(pair);
    for (const socket of pair.ends) socket.on('error', end).on('close', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    for (const { ends } of pairs) for (const socket of ends) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    reset,
    cut() {
      isCut = true;
      reset();
      return () => {
        isCut = false;
      };
    },
    stall() {
      isStalled = true;
      return () => {
        isStalled = false;
        for (const { goOn } of pairs) goOn();
      };
    },
    async close() {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}
