import { createOutboxWriter } from '../../src/outbox/outbox-writer.ts';
import { bytesIn, dropBefore, firstPlace, readRecords, replaceFile } from '../../src/outbox/segments.ts';
import type { Candidate } from './candidate.ts';

/** The program's own log. */
export function openSegmentLog(folder: string): Candidate {
  const writer = createOutboxWriter({ folder, bytesMax: Number.POSITIVE_INFINITY });
  let place = firstPlace;
  return {
    append: writer.append,
    async read(bytesMax) {
      const { records, until } = await readRecords(folder, { from: place, bytesMax });
      place = until;
      return records;
    },
    async drop() {
      await replaceFile(folder, 'bench.place', JSON.stringify(place));
      await dropBefore(folder, place);
    },
    bytes: () => bytesIn(folder),
    close: writer.close,
  };
}
