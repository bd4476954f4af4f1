/** By name. */
export const separators = { Comma: ',', Semicolon: ';', Tab: '\t' } as const;
export type SeparatorName = keyof typeof separators;

/** By name. */
export const decimalSigns = { Point: '.', Comma: ',' } as const;
export type DecimalName = keyof typeof decimalSigns;

/** `""` = the default: commas and points. */
export interface CsvForm {
  readonly Separator?: SeparatorName | '' | undefined;
  readonly Decimal?: DecimalName | '' | undefined;
}

/** Null = an empty cell. */
export type CsvValue = string | number | null;

/** Tells spreadsheets that it is UTF-8. */
export const byteOrderMark = '\uFEFF';

const decimalsMax = 9;

/**
 * Where spreadsheets would run a formula (OWASP, "CSV Injection"): at its signs, full and small width too, behind
 * blanks or invisible characters; at tabs and line ends; at a text's beginning or behind another program's separator.
 */
const formulaBehind = (separating: string) =>
  new RegExp(
    `(?<=^|[${separating}\\t\\r\\n])(?=[\\s\\p{C}]*[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20\\uFE66\\uFE62\\uFE63\\uFE6B\\u2212])|^(?=[\\t\\r\\n])`,
    'gu',
  );
const formulas = { ',': formulaBehind(';'), ';': formulaBehind(',;'), '\t': formulaBehind(',;') } as const;

/** RFC 4180; nothing runs in a spreadsheet. Numbers have no exponent. */
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
