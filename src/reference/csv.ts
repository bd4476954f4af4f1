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

const signs = '=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20\\uFE66\\uFE62\\uFE63\\uFE6B\\u2212';
const unseen = "[\\s\\p{C}']*";
/** Every separator there is: another program may take another one than was written. */
const begins = '(?<=^|[,;\\t\\r\\n])';

/**
 * Where spreadsheets would run a formula (OWASP, "CSV Injection"): at its signs, full and small width too, behind
 * blanks or invisible characters; at tabs and line ends; at a text's beginning or behind any separator.
 */
const formula = new RegExp(`${begins}(?=${unseen}[${signs}])|^(?='*[\\t\\r\\n])`, 'gu');
const mark = new RegExp(`${begins}'(?=${unseen}[${signs}])|^'(?='*[\\t\\r\\n])`, 'gu');

/** With a mark wherever a spreadsheet would run a formula. */
const withMarks = (text: string): string => text.replace(formula, "'");

/** A text as it was before `csvLines` marked it; one without marks stays. */
export const withoutMarks = (text: string): string => text.replace(mark, '');

/** RFC 4180; nothing runs in a spreadsheet. Numbers have no exponent. */
export function csvLines({ Separator, Decimal }: CsvForm = {}): (values: readonly CsvValue[]) => string {
  const separator = separators[Separator || 'Comma'];
  const sign = decimalSigns[Decimal || 'Point'];
  // Programs that split at another separator, too, leave quoted texts whole.
  const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const numberText = (value: number) => {
    const text = String(value);
    return text.includes('e') ? value.toFixed(decimalsMax).replace(/\.?0+$/, '') : text;
  };
  const cell = (value: CsvValue) => {
    if (value === null) return '';
    if (typeof value === 'string') return quoted(withMarks(value));
    const text = numberText(value).replace('.', sign);
    return text.includes(separator) ? `"${text}"` : text;
  };
  return (values) => `${values.map(cell).join(separator)}\r\n`;
}

const nameCharactersMax = 80;
const partsOf = (parts: readonly string[], other: RegExp) =>
  parts
    .map((part) => part.slice(0, nameCharactersMax).replaceAll(other, '-').replaceAll(/^-|-$/g, ''))
    .filter((part) => part !== '')
    .join('_');

const nameOf = (parts: readonly string[]) => partsOf(parts, /[^\p{L}\p{N}]+/gu) || 'report';

export const csvFileName = (...parts: readonly string[]): string => `${nameOf(parts)}.csv`;

export const xlsxFileName = (...parts: readonly string[]): string => `${nameOf(parts)}.xlsx`;
