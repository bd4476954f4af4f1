import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FaultLog } from '../fault-log.ts';
import { readRecords, segmentPath, segmentsIn } from '../outbox/segments.ts';
import { foldersIn, type OutboxPart, type Slot, takeAbandonedSlots } from '../outbox/slots.ts';
import { claimsOf } from '../statistics/event-counts.ts';
import { readEventRecord } from '../statistics/event-records.ts';
import type { ProcessClaims } from '../statistics/process-claims.ts';

const bytesPerMegabyte = 1024 * 1024;
const readBytesMax = 8 * bytesPerMegabyte;
/** As much of what the log holds as there is room for claims, roughly. */
const claimedBytesMax = 512 * bytesPerMegabyte;
/** What a process before has written stays for so long, so that the next one knows what was claimed. */
const finishedKeptMs = 3_600_000;

/** Claims what the files of a folder hold, the last of them at least. */
async function restoreClaims(folder: string, claims: ProcessClaims): Promise<void> {
  const segments = await segmentsIn(folder);
  const first = segments.at(-Math.ceil(claimedBytesMax / (2 * readBytesMax))) ?? segments[0] ?? 0;
  for (let from = { segment: first, offset: 0 }; ; ) {
    const { records, until } = await readRecords(folder, { from, bytesMax: readBytesMax });
    for (const record of records) {
      try {
        const recorded = readEventRecord(record);
        if (recorded.kind === 'event') claims.keep(recorded.event.auctionId, claimsOf(recorded.event));
      } catch {
        // The consumer says what is wrong with it.
      }
    }
    if (until.segment === from.segment && until.offset === from.offset) return;
    from = until;
  }
}

/** Whether a process of that ID writes to the folder. */
const isWrittenBy = (folder: string, process: string) => basename(folder).endsWith(process);

export interface LogPartsOptions {
  /** ID of this process. */
  readonly process: string;
  /** Of all processes' parts. */
  readonly root: string;
  readonly own: OutboxPart;
  readonly claims: ProcessClaims;
  readonly onFailure: FaultLog;
}

/** Parts of the log that this process consumes: its own, and those that others have left behind. */
export function createLogParts({ process, root, own, claims, onFailure }: LogPartsOptions) {
  const parts: OutboxPart[] = [];
  const left: Slot[] = [];
  /** Nobody writes into them any more. */
  const finished = new Set<string>();
  const add = async (part: OutboxPart) => {
    for (const folder of foldersIn(part.folder)) {
      if (isWrittenBy(folder, process)) continue;
      finished.add(folder);
      await restoreClaims(folder, claims);
    }
    parts.push(part);
  };
  const takeLeft = async () => {
    try {
      for (const slot of takeAbandonedSlots(root)) {
        left.push(slot);
        await add(slot);
      }
    } catch (error) {
      onFailure(error, 'records that other processes have left in the outbox cannot be read');
    }
  };
  return {
    async start() {
      await add(own);
      await takeLeft();
    },
    takeLeft,
    all: () => parts,
    folders: () => parts.flatMap((part) => foldersIn(part.folder)),
    sourceOf(folder: string): string {
      const owner = parts.find((part) => folder.startsWith(join(part.folder, '/')));
      return `${owner?.id}/${basename(folder)}`;
    },
    /** Deletes what is consumed and finished for long; to be called when everything there was is consumed. */
    async dropFinished(nowMs: number): Promise<void> {
      for (const folder of finished) {
        const last = (await segmentsIn(folder)).at(-1);
        const writtenMs = last === undefined ? 0 : (await stat(segmentPath(folder, last))).mtimeMs;
        if (nowMs - writtenMs < finishedKeptMs) continue;
        await rm(folder, { recursive: true, force: true });
        finished.delete(folder);
      }
    },
    release() {
      for (const slot of left) slot.release();
    },
  };
}
