/** In memory that threads may share. */
export interface BodyBudget {
  /** Else nothing is counted: `team` = the team has too many in work, `all` = all have. */
  take(teamId: number, bytes: number): 'taken' | 'team' | 'all';
  release(teamId: number, bytes: number): void;
  /** For a thread that has ended. */
  releaseThread(thread: number): void;
}

const mebibyte = 1024 * 1024;
/** Two of the largest bodies (reference, O22), and half of that for one team. */
const bytesMax = { all: 128 * mebibyte, team: 64 * mebibyte } as const;

/** Teams with the same ID modulo this share one team's bound. */
const places = 1024;

export function bodyBudgetMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * places * Int32Array.BYTES_PER_ELEMENT);
}

/** As thread `thread` (from 0). Counts too high are taken back, so no bound is exceeded. */
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
