import type { NoticeHandling } from '../outbound.ts';

/**
 * `kept` notices are sent again after a failure, as those of billable events are; `droppable` ones are sent only once,
 * and make room for others.
 */
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
  /** Number of its notices: ready, under way, or waiting for a retry. */
  size: number;
}

interface Bounds {
  /** Notices under way at a time, to one origin and to all. */
  readonly concurrencyPerOrigin: number;
  readonly concurrency: number;
}

/** The order in which notices are sent. */
const ranks: readonly NoticeRank[] = ['kept', 'droppable'];

/** The notices that are ready but not under way: which is sent next, and which is dropped first. */
function createTurns(concurrencyPerOrigin: number) {
  /** Lanes that have a ready notice of the rank and may send it now; the first one's turn is next. */
  const turns: Readonly<Record<NoticeRank, Set<Lane>>> = { kept: new Set(), droppable: new Set() };
  /** The ready `droppable` notices of all lanes, the oldest first. */
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
    /** To be called when a lane's number of notices under way has changed. */
    queueUp,
    add(notice: Notice) {
      notice.lane.ready[notice.rank].add(notice);
      if (notice.rank === 'droppable') droppable.add(notice);
      queueUp(notice.lane);
    },
    /** Takes out the next notice. Its lane comes last in the turns once it is queued up again. */
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
    /** Takes out the oldest `droppable` notice of a lane, or of all lanes. */
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

/** The lanes by origin, which take turns. `run` sends a notice; when it resolves, the next one may be sent. */
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
    /** The lane of an origin, with one more notice counted. */
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
    /** Drops the oldest ready `droppable` notice of the origin, or of all; undefined if there is none. */
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
