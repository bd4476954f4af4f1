import { csvCells } from '../../protocols/partnerstats/read-csv.ts';
import { readPrebidFloors } from './read-prebid.ts';
import { type FloorsFile, rowsMax, withoutTwins } from './read-rule.ts';
import { type FloorSheet, readFloorTable } from './read-table.ts';

export const isJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** Rules of a spreadsheet. */
export const floorsOfSheet = (sheet: FloorSheet): FloorsFile => withoutTwins(readFloorTable(sheet));

/** Rules of a table (CSV) or of a floors file of Prebid (JSON). Never throws. */
export function readFloors(text: string): FloorsFile {
  if (isJson(text)) return withoutTwins(readPrebidFloors(text));
  const rows = csvCells(text, rowsMax + 2).map((cells, at) => ({ number: at + 1, cells }));
  return floorsOfSheet({ rows, decimal: /^[^\r\n]*[;\t]/.test(text) ? 'Comma' : 'Point' });
}
