import type { NoticeHandling } from '../outbound.ts';

/** `kept` notices (billable events) are retried; `droppable` ones are sent once and make room for others. */
export type NoticeRank = 'kept' | 'droppable';

export interface Notice {
  readonly url: string;
  readonly id: NoticeHandling['id'] | undefined;
  readonly onEnd: NoticeHandling['onEnd'] | undefined;
  readonly lane: Lane;
  readonly rank: NoticeRank;
  retries: number;
  retryMs: number;
}

export interface Lane {
  readonly origin: string;
  readonly ready: Readonly<Record<NoticeRank, Set<Notice>>>;
  active: number;
  /** Its notices that are ready, under way, or waiting for a retry. */
  size: number;
}

interface Bounds {
  readonly concurrencyPerOrigin: number;
  readonly concurrency: number;
}

const ranks: readonly NoticeRank[] = ['kept', 'droppable'];

/** Chooses the next notice to send, and the first to drop. */
function createTurns(concurrencyPerOrigin: number) {
  /** Lanes with a ready notice of this rank, next turn first. */
  const turns: Readonly<Record<NoticeRank, Set<Lane>>> = { kept: new Set(), droppable: new Set() };
  /** Of all lanes, the oldest first. */
  const droppable = new Set<Notice>();
  const queueUp = (lane: Lane) => {
    for (const rank of ranks) {
      if (lane.active < concurrencyPerOrigin && lane.ready[rank].size > 0) turns[rank].add(lane);
      else turns[rank].delete(lane);
    }
  };
  const remove = (notice: Notice) => {
    notice.lane.ready[notice.rank].delete(notice);
    droppable.delete(notice);
  };
  return {
    /** To be called when a lane's number of notices under way changes. */
    queueUp,
    add(notice: Notice) {
      notice.lane.ready[notice.rank].add(notice);
      if (notice.rank === 'droppable') droppable.add(notice);
      queueUp(notice.lane);
    },
    /** Its lane goes to the end of the queue. */
    next(): Notice | undefined {
      for (const rank of ranks) {
        const [lane] = turns[rank];
        const [notice] = lane?.ready[rank] ?? [];
        if (lane === undefined || notice === undefined) continue;
        turns[rank].delete(lane);
        remove(notice);
        return notice;
      }
      return undefined;
    },
    oldestDroppable(lane?: Lane): Notice | undefined {
      const [notice] = lane === undefined ? droppable : lane.ready.droppable;
      if (notice === undefined) return undefined;
      remove(notice);
      queueUp(notice.lane);
      return notice;
    },
    clear() {
      droppable.clear();
      for (const rank of ranks) turns[rank].clear();
    },
  };
}

/** Lanes by origin take turns. The next notice may be sent once `run` resolves. */
export function createLanes(bounds: Bounds, run: (notice: Notice) => Promise<void>) {
  const lanes = new Map<string, Lane>();
  const turns = createTurns(bounds.concurrencyPerOrigin);
  let active = 0;
  const change = (lane: Lane, by: 1 | -1) => {
    active += by;
    lane.active += by;
    turns.queueUp(lane);
  };
  const send = async (notice: Notice) => {
    change(notice.lane, 1);
    await run(notice);
    change(notice.lane, -1);
    pump();
  };
  const pump = () => {
    while (active < bounds.concurrency) {
      const notice = turns.next();
      if (notice === undefined) return;
      void send(notice);
    }
  };
  const leave = ({ lane }: Notice) => {
    lane.size -= 1;
    if (lane.size === 0) lanes.delete(lane.origin);
  };
  return {
    sizeOf: (origin: string) => lanes.get(origin)?.size ?? 0,
    enter(origin: string): Lane {
      const ready = { kept: new Set<Notice>(), droppable: new Set<Notice>() };
      const lane = lanes.get(origin) ?? { origin, ready, active: 0, size: 0 };
      lanes.set(origin, lane);
      lane.size += 1;
      return lane;
    },
    add(notice: Notice) {
      turns.add(notice);
      pump();
    },
    leave,
    /** Drops the oldest ready `droppable` notice; undefined if there is none. */
    dropOne(origin?: string): Notice | undefined {
      const notice = turns.oldestDroppable(origin === undefined ? undefined : lanes.get(origin));
      if (notice !== undefined) leave(notice);
      return notice;
    },
    clear() {
      turns.clear();
      for (const { ready } of lanes.values()) for (const rank of ranks) ready[rank].clear();
    },
  };
}
