import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

export interface WorkerQuery {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** A batch of rows, or why there is none. */
export type WorkerAnswer =
  | { readonly rows: readonly (readonly (string | number)[])[] }
  | { readonly isLast: true }
  | { readonly error: string };

/** The asking thread reads them within a millisecond. */
const rowsPerPart = 250;
const readWaitMsMax = 15_000;
/** Sorts half a million rows in memory; KiB. */
const cacheKibMax = 32_768;

/** To serving threads, if threads have their own priorities (Linux): reports can wait, auctions cannot. */
function giveWay(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // Then reports compete equally.
  }
}

/** On the file of `workerData`, each to its end, batch by batch. */
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
