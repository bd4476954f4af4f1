/** What stands between the cells of a CSV, by name. */
export const separators = { Comma: ',', Semicolon: ';', Tab: '\t' } as const;
export type SeparatorName = keyof typeof separators;

/** What stands before the decimals of a CSV's numbers, by name. */
export const decimalSigns = { Point: '.', Comma: ',' } as const;
export type DecimalName = keyof typeof decimalSigns;

/** How a CSV is written; `""` is as good as nothing, which is commas and points. */
export interface CsvForm {
  readonly Separator?: SeparatorName | '' | undefined;
  readonly Decimal?: DecimalName | '' | undefined;
}

/** What is known of a value in a cell; null = it says nothing. */
export type CsvValue = string | number | null;

/** The byte order mark by which spreadsheets know UTF-8. */
export const byteOrderMark = '\uFEFF';

const decimalsMax = 9;

/**
 * Where spreadsheets would begin to run a formula (OWASP, "CSV Injection"): at a sign of a formula, also of full or
 * small width, behind any white space or invisible characters; at a tab or a line's end. It counts at the beginning of
 * a text and behind whatever begins another cell in some program, but for what the quotes of this file hold together.
 */
const formulaBehind = (separating: string) =>
  new RegExp(
    `(?<=^|[${separating}\\t\\r\\n])(?=[\\s\\p{C}]*[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20\\uFE66\\uFE62\\uFE63\\uFE6B\\u2212])|^(?=[\\t\\r\\n])`,
    'gu',
  );
const formulas = { ',': formulaBehind(';'), ';': formulaBehind(',;'), '\t': formulaBehind(',;') } as const;

/** Writes lines of a CSV by RFC 4180, whose texts run nothing in a spreadsheet. Numbers have no exponent. */
export function csvLines({ Separator, Decimal }: CsvForm = {}): (values: readonly CsvValue[]) => string {
  const separator = separators[Separator || 'Comma'];
  const sign = decimalSigns[Decimal || 'Point'];
  const formula = formulas[separator];
  const quoted = (text: string) =>
    /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  const numberText = (value: number) => {
    const text = String(value);
    return text.includes('e') ? value.toFixed(decimalsMax).replace(/\.?0+$/, '') : text;
  };
  const cell = (value: CsvValue) => {
    if (value === null) return '';
    return quoted(
      typeof value === 'string' ? value.replace(formula, "'") : numberText(value).replace('.', sign),
    );
  };
  return (values) => `${values.map(cell).join(separator)}\r\n`;
}

const nameCharactersMax = 80;
const partsOf = (parts: readonly string[], other: RegExp) =>
  parts
    .map((part) => part.slice(0, nameCharactersMax).replaceAll(other, '-').replaceAll(/^-|-$/g, ''))
    .filter((part) => part !== '')
    .join('_');

export const csvFileName = (...parts: readonly string[]): string =>
  `${partsOf(parts, /[^\p{L}\p{N}]+/gu) || 'report'}.csv`;
