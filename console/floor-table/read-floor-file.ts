import { floorsOfSheet, isJson, readFloors } from '../../src/management/floor-files/read-floors.ts';
import type { FloorsFile } from '../../src/management/floor-files/read-rule.ts';
import { readFile } from '../sheets/read-file.ts';
import { objectBounds, sizeFault } from '../sheets/sheet.ts';

const startBytes = 64;

/** Reads a spreadsheet, or a floors file of Prebid. Rejects with an error for people. */
export async function readFloorFile(file: File): Promise<FloorsFile> {
  const tooLarge = sizeFault(file.size, objectBounds);
  if (tooLarge) throw new Error(tooLarge);
  if (isJson(await file.slice(0, startBytes).text())) return readFloors(await file.text());
  const { head, rows, decimal } = await readFile(file);
  return floorsOfSheet({ rows: [head, ...rows], decimal });
}
