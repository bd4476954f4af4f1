/** The bytes of bodies that are in work, counted in memory that threads may share. */
export interface BodyBudget {
  /** Counts a team's body, unless it has no room: `team` where the team has too many in work, `all` where all have. */
  take(teamId: number, bytes: number): 'taken' | 'team' | 'all';
  release(teamId: number, bytes: number): void;
  /** Gives back what a thread held that has ended. */
  releaseThread(thread: number): void;
}

const mebibyte = 1024 * 1024;
/** Room for two of the largest bodies (reference, O22), and half of it for one team. */
const bytesMax = { all: 128 * mebibyte, team: 64 * mebibyte } as const;

/** Teams whose IDs are the same modulo this share a place, and so the bound of one team. */
const places = 1024;

/** Memory for the counts of that many threads. */
export function bodyBudgetMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * places * Int32Array.BYTES_PER_ELEMENT);
}

/** The budget as a thread (from 0) sees it. Counts are taken back if too high, so no bound is exceeded. */
export function createBodyBudget(memory: SharedArrayBuffer, thread: number): BodyBudget {
  const counts = new Int32Array(memory);
  const placeOf = (teamId: number) => teamId % places;
  const sumOf = (isCounted: (at: number) => boolean) => {
    let sum = 0;
    for (let at = 0; at < counts.length; at += 1) if (isCounted(at)) sum += Atomics.load(counts, at);
    return sum;
  };
  const release = (teamId: number, bytes: number) => {
    Atomics.sub(counts, thread * places + placeOf(teamId), bytes);
  };
  return {
    take(teamId, bytes) {
      const place = placeOf(teamId);
      Atomics.add(counts, thread * places + place, bytes);
      const isOfTeamOver = sumOf((at) => at % places === place) > bytesMax.team;
      const isOver = isOfTeamOver || sumOf(() => true) > bytesMax.all;
      if (!isOver) return 'taken';
      release(teamId, bytes);
      return isOfTeamOver ? 'team' : 'all';
    },
    release,
    releaseThread(ended) {
      for (let place = 0; place < places; place += 1) Atomics.store(counts, ended * places + place, 0);
    },
  };
}
