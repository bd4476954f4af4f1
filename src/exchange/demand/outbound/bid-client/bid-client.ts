import { type Refusal, refuse } from '../../../reasons.ts';
import type { OutboundAnswer } from '../../demand-kind.ts';
import { type ConnectorOptions, createGuard } from '../guarded-connector.ts';
import type { SendRequest } from '../redirects.ts';
import { BidCall } from './bid-call.ts';
import { ConnectionPool } from './connection-pool.ts';
import { createSockets } from './open-socket.ts';
import { createRequestBytes } from './request-bytes.ts';
import { TimerWheel } from './timer-wheel.ts';

export interface BidClientOptions extends ConnectorOptions {
  /** Whether this URL may lead to a private address though others may not. */
  readonly isHarmless: (url: string) => boolean;
  /** One connection each. */
  readonly callsPerOriginMax: number;
  readonly originsMax: number;
  /** Compressed or not. */
  readonly answerBytesMax: number;
  readonly ca?: string | undefined;
}

const headBytesMax = 16 * 1024;
const keptMax = 16_384;

/** A strict HTTP/1.1 client for small requests. Never rejects. Reference: "Answers to bid calls". */
export function createBidClient(options: BidClientOptions): { send: SendRequest; close(): Promise<void> } {
  const { callsPerOriginMax, originsMax, answerBytesMax, isHarmless, timeoutMs, ca } = options;
  const now = () => performance.now();
  const wheel = new TimerWheel();
  const bytesOf = createRequestBytes();
  const toolsOf = (allowPrivate: boolean) => {
    const open = createSockets({ guard: createGuard({ ...options, allowPrivate }), ca });
    const bounds = { headBytesMax, bodyBytesMax: answerBytesMax };
    const connections = { open, bounds, connectTimeoutMs: timeoutMs };
    const pool = new ConnectionPool(connections, { callsPerOriginMax, originsMax, keptMax }, now);
    return { pool, wheel, bodyBytesMax: answerBytesMax };
  };
  const guarded = toolsOf(options.allowPrivate);
  const unguarded = toolsOf(true);
  return {
    send(target, request, deadlineMs, mayRepeat) {
      const { origin, path } = target;
      const bytes = bytesOf(request, target);
      if (typeof bytes === 'string') return Promise.resolve(refuse('not_callable', { field: bytes }));
      const tools = isHarmless(origin + path) ? unguarded : guarded;
      return new Promise<OutboundAnswer | Refusal>((done) => {
        new BidCall(tools, { origin, bytes, deadlineMs, mayRepeat, done }).begin();
      });
    },
    close: async () => {
      await Promise.all([guarded.pool.close(), unguarded.pool.close()]);
    },
  };
}
