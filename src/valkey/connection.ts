import { hash } from 'node:crypto';
import { createClient } from '@redis/client';
import type { ValkeyAddress } from '../reference/valkey-address.ts';
import { createTimedWork, growingMs } from '../shared/timed-work.ts';
import { assertFit } from './server-info.ts';
import {
  isNotServing,
  reasonOfNoConnection,
  type UnusableValkey,
  ValkeyUnavailable,
} from './valkey-error.ts';

/** Text, a whole number, nothing, or a list of these. */
export type ValkeyReply = string | number | null | readonly ValkeyReply[];

/** Lua, in one step on the server. */
export interface ValkeyScript {
  readonly text: string;
  readonly sha: string;
}

/** By its hash, as servers do. */
export const valkeyScript = (text: string): ValkeyScript => ({ text, sha: hash('sha1', text) });

/** Keys of one use share a tag (in braces), so that a cluster keeps them together. */
export const valkeyPrefix = (installation: string, use: string): string => `bourse:${installation}:{${use}}:`;

/** Reconnects for ever. Rejects what cannot be sent at once or is not answered in time: nothing waits. */
export interface ValkeyConnection {
  /** Rejects with `ValkeyUnavailable`, or with the server's error. */
  send(words: readonly string[], timeoutMs?: number): Promise<ValkeyReply>;
  /** Rejects like `send`. */
  run(
    script: ValkeyScript,
    keys: readonly string[],
    words: readonly string[],
    timeoutMs?: number,
  ): Promise<ValkeyReply>;
  /** Connected, and the last command was answered in time. */
  isUp(): boolean;
  /** Commands unsent, unanswered or answered by an error, since the start. */
  failures(): number;
  /** Why the first attempt failed; undefined = connected. */
  readonly firstTry: Promise<ValkeyUnavailable | UnusableValkey | undefined>;
  /** Rejects what is under way. */
  close(): void;
}

export interface ConnectionOptions {
  readonly address: ValkeyAddress;
  /** Called when the connection is lost, and for each later attempt with another reason. */
  readonly onAway?: (reason: Error) => void;
  /** Called for each connection, with what an operator should fix. */
  readonly onUp?: (advice: string | undefined) => void;
}

const answerMs = 2000;
const connectMs = 3000;
const pingEveryMs = 1000;
const retryMs = growingMs(100, 2000);
const underWayMax = 10_000;

type Client = ReturnType<typeof clientOf>;

const clientOf = ({ host, port, hasTls, ...who }: ValkeyAddress) =>
  createClient({
    // An empty name would be a user with no name.
    ...(who.username !== '' && { username: who.username }),
    password: who.password,
    database: who.database,
    // It never reconnects by itself: whether a server is fit is checked each time.
    socket: { host, port, connectTimeout: connectMs, reconnectStrategy: false, ...(hasTls && { tls: true }) },
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: underWayMax,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Waits are bounded here, for answers too.
    commandOptions: { timeout: undefined as unknown as number },
  });

const slices = 4;

/** Rejects with `ValkeyUnavailable` after the time, of which a stall of this thread takes one slice. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const waitFor = (left: number) => {
    if (left === 0) reject(new ValkeyUnavailable(`no answer within ${ms} ms`));
    else timer = setTimeout(waitFor, ms / slices, left - 1).unref();
  };
  waitFor(slices);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Of a fit server, with what an operator should fix. Rejects with the reason. */
async function open(address: ValkeyAddress, onLost: (client: Client) => void) {
  const client = clientOf(address);
  let isOpen = false;
  let met: unknown;
  client.on('error', (error) => {
    met ??= error;
    if (isOpen) onLost(client);
  });
  try {
    await within(connectMs, client.connect());
    const advice = assertFit(String(await within(answerMs, client.sendCommand(['INFO']))));
    isOpen = true;
    return { client, advice };
  } catch (error) {
    client.destroy();
    // The first error: another kind of server is not understood, and then hangs up.
    throw reasonOfNoConnection(met ?? error);
  }
}

/** `client()` is undefined while there is none. */
function keepConnected({ address, onAway, onUp }: ConnectionOptions, ping: () => Promise<unknown>) {
  const first = Promise.withResolvers<ValkeyUnavailable | UnusableValkey | undefined>();
  let isClosed = false;
  let current: Client | undefined;
  let lastReason: string | undefined;
  const tellAway = (reason: Error) => {
    if (reason.message !== lastReason) onAway?.(reason);
    lastReason = reason.message;
  };
  const drop = (client: Client, reason: Error) => {
    if (client !== current) return;
    current = undefined;
    client.destroy();
    tellAway(reason);
    keeping.wake();
  };
  const connect = async () => {
    try {
      const { client, advice } = await open(address, (lost) =>
        drop(lost, new ValkeyUnavailable('it is gone')),
      );
      if (isClosed) client.destroy();
      else current = client;
      lastReason = undefined;
      onUp?.(advice);
      first.resolve(undefined);
    } catch (error) {
      // The first reason is the caller's to report.
      lastReason ??= (error as Error).message;
      first.resolve(error as Error);
      tellAway(error as Error);
      throw error;
    }
  };
  const keeping = createTimedWork(pingEveryMs, () => (current ? ping() : connect()), { retryMs });
  keeping.start(0);
  return {
    drop,
    client: () => current,
    firstTry: first.promise,
    close() {
      isClosed = true;
      void keeping.close();
      current?.destroy();
      current = undefined;
    },
  };
}

/** Reconnects whenever it is lost. */
export function createValkeyConnection(options: ConnectionOptions): ValkeyConnection {
  const kept = keepConnected(options, () => ask(['PING'], answerMs));
  let failures = 0;
  let [answeredMs, isAnswering] = [0, true];
  /** Once, in time; a client silent since is given up. */
  const ask = async (words: readonly string[], timeoutMs: number): Promise<ValkeyReply> => {
    const client = kept.client();
    if (!client) throw new ValkeyUnavailable('the server is away');
    const sentMs = performance.now();
    try {
      const sent = client.sendCommand<ValkeyReply>([...words]).then(
        (answer) => {
          // A late answer, too, says that the server is there.
          if (kept.client() === client) [answeredMs, isAnswering] = [performance.now(), true];
          return answer;
        },
        (error: unknown) => {
          throw kept.client() === client
            ? error
            : new ValkeyUnavailable('the connection was lost', { cause: error });
        },
      );
      return await within(timeoutMs, sent);
    } catch (error) {
      if (error instanceof ValkeyUnavailable && kept.client() === client && answeredMs < sentMs) {
        isAnswering = false;
        if (timeoutMs >= answerMs) kept.drop(client, error);
      }
      if (isNotServing(error)) kept.drop(client, error as Error);
      throw error;
    }
  };
  const counting = <T>(asked: Promise<T>): Promise<T> =>
    asked.catch((error: unknown) => {
      failures += 1;
      throw error;
    });
  const runOnce = async (script: ValkeyScript, words: readonly string[], timeoutMs: number) => {
    try {
      return await ask(['EVALSHA', script.sha, ...words], timeoutMs);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return await ask(['EVAL', script.text, ...words], timeoutMs);
    }
  };
  return {
    send: (words, timeoutMs = answerMs) => counting(ask(words, timeoutMs)),
    run: (script, keys, words, timeoutMs = answerMs) =>
      counting(runOnce(script, [String(keys.length), ...keys, ...words], timeoutMs)),
    isUp: () => kept.client() !== undefined && isAnswering,
    failures: () => failures,
    firstTry: kept.firstTry,
    close: kept.close,
  };
}
