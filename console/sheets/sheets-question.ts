import type { SheetBounds, SheetRow } from './sheet.ts';
import type { XlsxTable } from './xlsx.ts';

export type SheetQuestion =
  | { readonly kind: 'read'; readonly of: Blob; readonly bounds: SheetBounds }
  | { readonly kind: 'write'; readonly table: XlsxTable };

export type SheetAnswer =
  | { readonly kind: 'read'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'write'; readonly file: Blob };
