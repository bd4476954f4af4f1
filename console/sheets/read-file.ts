import { askSheets } from './ask-sheets.ts';
import { readCsv } from './read-csv.ts';
import { objectBounds, type Sheet, sheetOf, sizeFault } from './sheet.ts';

const zipMark = [0x50, 0x4b];

/** Whether a file is XLSX, whatever it is called: that is an archive, and CSV is none. */
async function isXlsx(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, zipMark.length).arrayBuffer());
  return zipMark.every((byte, index) => start[index] === byte);
}

/** Reads a CSV, or the first sheet of an XLSX file. Rejects with an error for people. */
export async function readFile(file: File): Promise<Sheet> {
  const tooLarge = sizeFault(file.size, objectBounds);
  if (tooLarge) throw new Error(tooLarge);
  if (await isXlsx(file)) {
    const { rows } = await askSheets({ kind: 'read', of: file, bounds: objectBounds });
    return sheetOf(rows, 'Point');
  }
  if (/\.(?:xls|xlsb|ods|numbers)$/i.test(file.name))
    throw new Error('This kind of spreadsheet is not read. Save it as XLSX or as CSV.');
  return readCsv(new Uint8Array(await file.arrayBuffer()), objectBounds);
}
