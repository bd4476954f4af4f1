import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { assertAway, type Caller, jsonOf, type Reply } from './caller.ts';

const writers = 8;
const readers = 4;
/** Less than Retry-After asks for, so that the load goes on through the whole of an outage. */
const pauseMs = 10;

/** What the clients of a load have seen so far. */
export interface Load {
  /** IDs of the tags that were acknowledged, by the key that is also their name. */
  readonly acknowledged: ReadonlyMap<string, number>;
  readonly counts: { refusedWrites: number; refusedReads: number; reads: number; replayed: number };
  /** Resolves once the condition holds, which is looked at after every answer. Rejects when a client has failed. */
  until(condition: () => boolean): Promise<void>;
  /** Lets every client finish what it has begun. */
  stop(): Promise<void>;
}

interface State {
  readonly acknowledged: Map<string, number>;
  readonly counts: Load['counts'];
  isStopping: boolean;
  readonly onAnswer: () => void;
}

const idIn = (reply: Reply) => (jsonOf(reply) as { Tag: { Id: number } }).Tag.Id;

/** Adds tags, one after the other, each under its own key and again and again until it is acknowledged. */
async function write({ post }: Caller, state: State): Promise<void> {
  while (!state.isStopping) {
    const key = randomUUID();
    const body = { Tag: { Name: key } };
    for (;;) {
      const reply = await post('/api/tag/add', body, { 'idempotency-key': key });
      if (reply.status === 200) {
        state.acknowledged.set(key, idIn(reply));
        if (reply.headers.has('idempotent-replayed')) state.counts.replayed += 1;
        state.onAnswer();
        break;
      }
      assertAway(reply);
      state.counts.refusedWrites += 1;
      state.onAnswer();
      await delay(pauseMs);
    }
  }
}

/** Reads what was acknowledged last, alone and in an array: it must be there, or the database away. */
async function read({ get }: Caller, state: State): Promise<void> {
  for (let turn = 0; !state.isStopping; turn += 1) {
    const [key, id] = [...state.acknowledged].at(-1) ?? [];
    if (id === undefined) {
      await delay(pauseMs);
      continue;
    }
    const reply = await get(turn % 2 ? `/api/tag/get?Id=${id}` : `/api/tag/get?AfterId=${id - 1}&Limit=1`);
    if (reply.status === 200) {
      const [found] = [jsonOf(reply)].flat() as { Id: number; Name: string }[];
      assert.deepEqual([found?.Id, found?.Name], [id, key]);
      state.counts.reads += 1;
    } else {
      assertAway(reply);
      state.counts.refusedReads += 1;
      await delay(pauseMs);
    }
    state.onAnswer();
  }
}

/** Starts clients that add and read at once. An answer other than 200 and 503, or none, fails the load. */
export function startLoad(caller: Caller): Load {
  const waiting = new Set<() => void>();
  const counts = { refusedWrites: 0, refusedReads: 0, reads: 0, replayed: 0 };
  const onAnswer = () => {
    for (const look of waiting) look();
  };
  const state: State = { acknowledged: new Map(), counts, isStopping: false, onAnswer };
  const clients = Promise.all([
    ...Array.from({ length: writers }, () => write(caller, state)),
    ...Array.from({ length: readers }, () => read(caller, state)),
  ]);
  // Told of where the load is waited for.
  clients.catch(() => undefined);
  const holds = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!condition()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    acknowledged: state.acknowledged,
    counts,
    until: async (condition) => {
      await Promise.race([holds(condition), clients]);
    },
    stop: async () => {
      state.isStopping = true;
      await clients;
    },
  };
}
