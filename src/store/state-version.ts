import type { Database } from './database.ts';

/** Reads once for each turn of the event loop: requests that one turn has received came before it was read. */
function oncePerTurn(read: () => number): () => number {
  let value = 0;
  let isFresh = false;
  const turnEnds = () => {
    isFresh = false;
  };
  return () => {
    if (isFresh) return value;
    value = read();
    isFresh = true;
    setImmediate(turnEnds);
    return value;
  };
}

/**
 * `version` of a database: a number that changes when anything may have changed in it, with each commit of this
 * process at once, with those of others as the database tells, which is asked once a turn. Absent where it cannot tell.
 */
export function stateVersion(
  { version }: Pick<Database, 'version'>,
  commits: () => number,
): Pick<Database, 'version'> {
  if (version === undefined) return {};
  const ofOthers = oncePerTurn(version);
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
