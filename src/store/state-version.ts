import type { Database } from './database.ts';

/** Other processes are seen so much later at most; asking takes locks that the threads of this one share. */
const lateMsMax = 1;

/** Reads what was read last, unless that is too long ago. */
function nowAndThen(read: () => number, now: () => number): () => number {
  let value = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const atMs = now();
    if (atMs - readAtMs < lateMsMax) return value;
    readAtMs = atMs;
    value = read();
    return value;
  };
}

/**
 * `version` of a database: a number that changes when anything may have changed in it, with each commit of this
 * process at once, with those of others a millisecond later at most. Absent where the database cannot tell. `now`
 * tells milliseconds.
 */
export function stateVersion(
  { version }: Pick<Database, 'version'>,
  commits: () => number,
  now: () => number = () => performance.now(),
): Pick<Database, 'version'> {
  if (version === undefined) return {};
  const ofOthers = nowAndThen(version, now);
  let number = 0;
  let seenCommits = commits();
  let seenOthers = ofOthers();
  const current = () => {
    const nowCommits = commits();
    const nowOthers = ofOthers();
    if (nowCommits !== seenCommits || nowOthers !== seenOthers) number += 1;
    seenCommits = nowCommits;
    seenOthers = nowOthers;
    return number;
  };
  return { version: current };
}
