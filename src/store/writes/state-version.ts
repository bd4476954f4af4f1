import type { Database } from '../database/database.ts';

/** How late other processes' commits are seen: asking each time would take locks that threads share. */
const lateMsMax = 1;

/** Reads again after `lateMsMax`. */
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
 * Changes whenever the database may have: at once with this process's commits, a millisecond late with others'. Absent
 * if the database cannot tell.
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
