/** Whether a notice is sent again after a failure, as those of money are, or only once. */
export type Rank = 'kept' | 'losable';

/** A notice in its lane. */
export interface Notice {
  readonly url: string;
  readonly lane: Lane;
  readonly rank: Rank;
  retries: number;
  retryMs: number;
}

/** The notices to one origin. */
export interface Lane {
  readonly origin: string;
  readonly ready: Readonly<Record<Rank, Set<Notice>>>;
  active: number;
  /** All of its notices, those that wait for a retry included. */
  size: number;
}

interface Bounds {
  /** Notices under way at a time, to one origin and to all. */
  readonly concurrencyPerOrigin: number;
  readonly concurrency: number;
}

/** In their order. */
const ranks: readonly Rank[] = ['kept', 'losable'];

/** Notices that have not begun: which of them is next, and which is the first to be given up. */
function createTurns(concurrencyPerOrigin: number) {
  /** Lanes that could send a notice of the rank. */
  const turns: Readonly<Record<Rank, Set<Lane>>> = { kept: new Set(), losable: new Set() };
  /** Those of all lanes, the oldest first. */
  const losable = new Set<Notice>();
  const queueUp = (lane: Lane) => {
    for (const rank of ranks) {
      if (lane.active < concurrencyPerOrigin && lane.ready[rank].size > 0) turns[rank].add(lane);
      else turns[rank].delete(lane);
    }
  };
  const remove = (notice: Notice) => {
    notice.lane.ready[notice.rank].delete(notice);
    losable.delete(notice);
  };
  return {
    /** A lane can send more than before, or less. */
    queueUp,
    add(notice: Notice) {
      notice.lane.ready[notice.rank].add(notice);
      if (notice.rank === 'losable') losable.add(notice);
      queueUp(notice.lane);
    },
    /** Takes out the next notice; its lane is the last then. */
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
    /** Takes out the oldest notice that is sent only once, of a lane or of all. */
    oldestLosable(lane?: Lane): Notice | undefined {
      const [notice] = lane === undefined ? losable : lane.ready.losable;
      if (notice === undefined) return undefined;
      remove(notice);
      queueUp(notice.lane);
      return notice;
    },
    clear() {
      losable.clear();
      for (const rank of ranks) turns[rank].clear();
    },
  };
}

/** The lanes by origin, which take turns; `run` sends a notice and says by its end that its place is free again. */
export function createLanes(bounds: Bounds, run: (notice: Notice) => Promise<void>) {
  const lanes = new Map<string, Lane>();
  const turns = createTurns(bounds.concurrencyPerOrigin);
  let active = 0;
  const change = (lane: Lane, by: 1 | -1) => {
    active += by;
    lane.active += by;
    turns.queueUp(lane);
  };
  const occupy = async (notice: Notice) => {
    change(notice.lane, 1);
    await run(notice);
    change(notice.lane, -1);
    pump();
  };
  const pump = () => {
    while (active < bounds.concurrency) {
      const notice = turns.next();
      if (notice === undefined) return;
      void occupy(notice);
    }
  };
  const leave = ({ lane }: Notice) => {
    lane.size -= 1;
    if (lane.size === 0) lanes.delete(lane.origin);
  };
  return {
    sizeOf: (origin: string) => lanes.get(origin)?.size ?? 0,
    /** The lane of an origin, one notice longer. */
    enter(origin: string): Lane {
      const ready = { kept: new Set<Notice>(), losable: new Set<Notice>() };
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
    /** Gives up the oldest notice that is sent only once and has not begun, of the origin or of all; false: there is none. */
    giveUpOne(origin?: string): boolean {
      const notice = turns.oldestLosable(origin === undefined ? undefined : lanes.get(origin));
      if (notice !== undefined) leave(notice);
      return notice !== undefined;
    },
    clear() {
      turns.clear();
      for (const { ready } of lanes.values()) for (const rank of ranks) ready[rank].clear();
    },
  };
}
