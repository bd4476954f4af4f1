import type { Database } from '../database/database.ts';

/**
 * Commits of other processes are seen this much later at most. Asking each time would take locks that the threads of
 * this process share.
 */
const lateMsMax = 1;

/** Answers the value that was read last, and reads it anew after `lateMsMax`. */
function throttled(read: () => number, now: () => number): () => number {
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
 * `version` of a database: a number that changes whenever anything may have changed in it, at once with a commit of
 * this process, a millisecond later at most with one of another. Absent where the database cannot tell. `now` is in
 * milliseconds.
 */
export function stateVersion(
  { version }: Pick<Database, 'version'>,
  commits: () => number,
  now: () => number = () => performance.now(),
): Pick<Database, 'version'> {
  if (version === undefined) return {};
  const ofOthers = throttled(version, now);
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
