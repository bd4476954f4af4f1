import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

export interface WorkerQuery {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** A part of its answer, or why there is none. */
export type WorkerAnswer =
  | { readonly rows: readonly (readonly (string | number)[])[] }
  | { readonly isLast: true }
  | { readonly error: string };

/** Few enough that reading them takes the asking thread less than a millisecond. */
const rowsPerPart = 250;
const readWaitMsMax = 15_000;
/** Room to sort half a million rows in memory, in KiB. */
const cacheKibMax = 32_768;

/**
 * Gives way to the threads that serve, where the system knows priorities of threads by an ID of their own: on Linux.
 * Whoever waits for a report can wait some milliseconds more; an auction cannot.
 */
function giveWay(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // Reports are as fast as all else then.
  }
}

/** Runs queries on the file that `workerData` names, each to its end, part by part as it is asked for more. */
function serve(port: NonNullable<typeof parentPort>): void {
  const database = new DatabaseSync(workerData.path, { readOnly: true, timeout: readWaitMsMax });
  database.exec(`pragma cache_size = -${cacheKibMax}`);
  let rows: Iterator<unknown> | undefined;
  const answer = (message: WorkerAnswer) => port.postMessage(message);
  const part = () => {
    const found: (readonly (string | number)[])[] = [];
    while (found.length < rowsPerPart) {
      const { done, value } = rows?.next() ?? { done: true, value: undefined };
      if (done) {
        rows = undefined;
        break;
      }
      found.push(value as readonly (string | number)[]);
    }
    return found;
  };
  port.on('message', (message: WorkerQuery | 'more') => {
    try {
      if (message !== 'more') {
        const statement = database.prepare(message.text);
        statement.setReturnArrays(true);
        rows = statement.iterate(...message.values);
      }
      const found = part();
      answer(found.length > 0 ? { rows: found } : { isLast: true });
    } catch (error) {
      rows = undefined;
      answer({ error: error instanceof Error ? error.message : String(error) });
    }
  });
}

if (parentPort) {
  giveWay();
  serve(parentPort);
}
