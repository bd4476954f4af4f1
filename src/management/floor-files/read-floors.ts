import { csvCells } from '../../protocols/partnerstats/read-csv.ts';
import { readPrebidFloors } from './read-prebid.ts';
import { type FloorsFile, rowsMax, withoutTwins } from './read-rule.ts';
import { readFloorTable, type TableRow } from './read-table.ts';

export const isJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** Rules of the rows of a spreadsheet. */
export const floorsOfRows = (rows: readonly TableRow[]): FloorsFile => withoutTwins(readFloorTable(rows));

/** Rules of a table (CSV) or of a floors file of Prebid (JSON). Never throws. */
export function readFloors(text: string): FloorsFile {
  if (isJson(text)) return withoutTwins(readPrebidFloors(text));
  return floorsOfRows(csvCells(text, rowsMax + 2).map((cells, at) => ({ number: at + 1, cells })));
}
