import type { SheetBounds, SheetRow } from './sheet.ts';
import type { XlsxTable } from './xlsx.ts';

export type SheetQuestion =
  | { readonly kind: 'read'; readonly of: Blob; readonly bounds: SheetBounds }
  | { readonly kind: 'lines'; readonly of: Blob }
  | { readonly kind: 'write'; readonly table: XlsxTable };

export type SheetAnswer =
  | { readonly kind: 'read'; readonly rows: readonly SheetRow[] }
  /** A line for each row, its cells between tabs. */
  | { readonly kind: 'lines'; readonly text: Blob }
  | { readonly kind: 'write'; readonly file: Blob };
