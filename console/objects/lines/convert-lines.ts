import { cellsOf, type Separator, separatorOf } from './read-table.ts';

/** How the cells of a kind of list are read. */
interface Reading {
  /** Names of the column, as exported tables have them. */
  readonly names: RegExp;
  /** Whether a cell may be an entry, so far as to tell it from the name of a column. */
  readonly isLike: (cell: string) => boolean;
  /** What is taken out of a cell that is an address of the web; undefined where nothing is. */
  readonly taken: (cell: string) => string | undefined;
  /** What that is, as people call it. */
  readonly what: string;
}

const isUrl = (cell: string) => /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(cell);

function urlOf(cell: string): URL | undefined {
  const url = URL.parse(isUrl(cell) ? cell.replace(/^\/\//, 'http://') : `http://${cell}`);
  return url?.hostname.includes('.') ? url : undefined;
}

/** The host of a URL, or of what has a path or a port after it. */
function hostIn(cell: string): string | undefined {
  return isUrl(cell) || /^[^\s/:]+\.[^\s/:]+(?::\d+)?[/?#]|^[^\s/:]+\.[^\s/:]+:\d+$/.test(cell)
    ? urlOf(cell)?.hostname
    : undefined;
}

/** The identifier in the address of a store: Google's `?id=`, Apple's `/id123`, others' last name. */
function applicationIn(cell: string): string | undefined {
  const url = isUrl(cell) ? urlOf(cell) : undefined;
  return url?.searchParams.get('id') ?? /\/id(\d+)(?:\/|$)/.exec(url?.pathname ?? '')?.[1];
}

/** By the key of the list. Keywords may hold commas and addresses, so they stay as they are. */
const readings: Readonly<Record<string, Reading>> = {
  DomainList: {
    names: /^(?:domain|site|host|hostname|url|website|page|publisher domain)s?(?:[ _-]?(?:name|url))?$/i,
    isLike: (cell) => cell.includes('.'),
    taken: hostIn,
    what: 'host',
  },
  AppList: {
    names: /^(?:app|application|bundle|package|store)s?(?:[ _-]?(?:id|name|bundle|identifier|url))?s?$/i,
    isLike: (cell) => /[.\d]/.test(cell),
    taken: applicationIn,
    what: 'identifier',
  },
  IpList: {
    names: /^(?:ip|address|ip[ _-]?address|cidr|range|network|subnet)(?:es|s)?$/i,
    isLike: (cell) => /^[\da-f:./ -]*[.:][\da-f:./ -]*$/i.test(cell),
    taken: () => undefined,
    what: '',
  },
};

/** What lines may be converted to, as far as their beginning tells. */
export interface Table {
  readonly separator: Separator;
  /** Names of the columns, or their numbers where the first line names none. */
  readonly columns: readonly string[];
  readonly hasHeader: boolean;
  /** Index of the column whose cells are most like entries. */
  readonly column: number;
}

export interface ConvertedLine {
  /** Counts from 1. */
  readonly number: number;
  readonly from: string;
  readonly to: string;
}

export interface Conversion {
  readonly table: Table;
  readonly lines: number;
  readonly entries: number;
  /** Those of them of which something was taken out of an address, and what that is. */
  readonly taken: number;
  readonly what: string;
  /** Lines without a cell in the column. */
  readonly empty: number;
  readonly first: readonly ConvertedLine[];
  /** The entries, each in the line that it comes from, so that numbers of lines stay those of the file. */
  readonly text: string;
}

const sampledMax = 200;
const shownMax = 5;

const isLine = (line: string) => line !== '' && !line.startsWith('#');

/** Understands the beginning of lines as a table of a kind of list; undefined where that kind is never converted. */
function tableOf(lines: readonly string[], { names, isLike, taken }: Reading, chosen?: number): Table {
  const separator = separatorOf(lines);
  const rows = lines.map((line) => cellsOf(line, separator));
  const [head = [], ...body] = rows;
  const fits = (column: number, of: readonly (readonly string[])[]) =>
    of.filter((row) => isLike(row[column] ?? '') || taken(row[column] ?? '') !== undefined).length;
  const indexes = [...head.keys()];
  const likeliest = indexes.reduce(
    (best, column) => (fits(column, body) > fits(best, body) ? column : best),
    0,
  );
  const named = indexes.find((column) => names.test(head[column] ?? '') && fits(column, body) > 0);
  const column = chosen !== undefined && chosen < head.length ? chosen : (named ?? likeliest);
  const isNoEntry = !isLike(head[column] ?? '') && fits(column, body) * 2 > body.length;
  const hasHeader = rows.length > 1 && (named !== undefined || isNoEntry);
  const columns = head.map((name, index) => (hasHeader && name !== '' ? name : `${index + 1}`));
  return { separator, columns, hasHeader, column };
}

/** Collects what cells become. */
function collector({ taken: take, what }: Reading) {
  const first: ConvertedLine[] = [];
  let [entries, taken, empty] = [0, 0, 0];
  return {
    /** Answers the entry; `""` for none. */
    add(number: number, line: string, cell: string): string {
      const part = take(cell);
      const to = part ?? cell;
      if (part !== undefined) taken += 1;
      if (to === '') empty += 1;
      else entries += 1;
      if (to !== '' && to !== line && first.length < shownMax) first.push({ number, from: line, to });
      return to;
    },
    end: () => ({ entries, first, taken, what, empty }),
  };
}

/**
 * Reads lines as a table with an entry a row, in the column that is named or most like entries: headers are left out,
 * cells without their quotes, hosts and identifiers taken out of addresses. Undefined where that would change nothing,
 * and for lists of keywords.
 */
export function convertLines(text: string, list: string, column?: number): Conversion | undefined {
  const reading = readings[list];
  if (!reading) return undefined;
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const sample = lines
    .slice(0, sampledMax)
    .map((line) => line.trim())
    .filter(isLine);
  const table = tableOf(sample, reading, column);
  const made = collector(reading);
  let count = 0;
  const converted = lines.map((whole, index) => {
    const line = whole.trim();
    if (!isLine(line)) return '';
    count += 1;
    if (table.hasHeader && count === 1) return '';
    return made.add(index + 1, line, cellsOf(line, table.separator)[table.column] ?? '');
  });
  const rest = made.end();
  if (rest.first.length === 0 && !table.hasHeader) return undefined;
  return { table, lines: count, ...rest, text: converted.join('\n') };
}
