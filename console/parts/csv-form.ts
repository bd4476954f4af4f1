import type { CsvForm } from '../../src/reference/csv.ts';

/** How a CSV can be written, by what its decimals look like there. */
export const csvForms = [
  { label: 'Commas, 1.5', Separator: 'Comma', Decimal: 'Point' },
  { label: 'Semicolons, 1,5', Separator: 'Semicolon', Decimal: 'Comma' },
  { label: 'Tabs, 1.5', Separator: 'Tab', Decimal: 'Point' },
  { label: 'Tabs, 1,5', Separator: 'Tab', Decimal: 'Comma' },
] as const satisfies readonly (Required<CsvForm> & { readonly label: string })[];

/** Whether a language writes decimals behind a comma; undefined for a name that is none, as browsers may have. */
function hasDecimalComma(language: string): boolean | undefined {
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.some(({ type, value }) => type === 'decimal' && value === ',');
  } catch {
    return undefined;
  }
}

/** How the spreadsheets of a language want a CSV: that of the first one that is known, by default of the browser's. */
export function csvFormFor(languages: readonly string[] = navigator.languages): CsvForm {
  const known = languages.map(hasDecimalComma).find((has) => has !== undefined);
  const { Separator, Decimal } = csvForms[known ? 1 : 0];
  return { Separator, Decimal };
}
