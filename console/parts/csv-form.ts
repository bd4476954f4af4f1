import type { CsvForm } from '../../src/reference/csv.ts';

/** How a CSV can be written, by what its decimals look like there. */
export const csvForms = [
  { label: 'Commas, 1.5', Separator: 'Comma', Decimal: 'Point' },
  { label: 'Semicolons, 1,5', Separator: 'Semicolon', Decimal: 'Comma' },
  { label: 'Tabs, 1.5', Separator: 'Tab', Decimal: 'Point' },
  { label: 'Tabs, 1,5', Separator: 'Tab', Decimal: 'Comma' },
] as const satisfies readonly (Required<CsvForm> & { readonly label: string })[];

/** How the spreadsheets of a language want a CSV; by default that of the browser. */
export function csvFormFor(languages: readonly string[] = navigator.languages): CsvForm {
  const parts = new Intl.NumberFormat([...languages]).formatToParts(1.5);
  const hasComma = parts.some(({ type, value }) => type === 'decimal' && value === ',');
  const { Separator, Decimal } = csvForms[hasComma ? 1 : 0];
  return { Separator, Decimal };
}
