import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Stored } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';

type Row = Readonly<Record<string, string | number>>;

/** The URLs of an object's report, each with macros for its days; undefined where it has none. */
export function reportUrls({ fields }: ShownEntity, object: Stored) {
  const urls = fields.filter(({ place }) => place === 'url').map(({ name }) => String(object[name] ?? ''));
  const json = urls.find((url) => url.includes('type=json'));
  const csv = urls.find((url) => url !== '' && !url.includes('type=json'));
  return json && csv ? { json, csv } : undefined;
}

const dayMs = 86_400_000;

/** Days as `2027-01-31` from one to another, both included. */
export function daysBetween(from: string, to: string): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * dayMs).toJSON().slice(0, 10),
  );
}

/** So many days before a day. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toJSON().slice(0, 10);

/** The report's URL for these days, on the server that the console came from. */
export function urlOfDays(url: string, from: string, to: string): string {
  const { pathname, search } = new URL(url);
  const path = `${pathname}${search}`.replace('{date_from}', from).replace('{date_to}', to);
  return decodeURI(path)
    .replace('{date_from}', from)
    .replace('{date_to}', to)
    .replace(/^.*?api\//, 'api/');
}

/** What an object's days counted. */
export const reportQuery = (url: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['report', url, from, to],
    queryFn: async ({ signal }) => (await call<readonly Row[]>(urlOfDays(url, from, to), { signal })).data,
    staleTime: 30_000,
  });

/** Names of a report's figures, in their order. */
export const figuresOf = (rows: readonly Row[]): readonly string[] =>
  Object.keys(rows[0] ?? {}).filter((name) => typeof rows[0]?.[name] === 'number');

const shares: Readonly<Record<string, readonly [part: string, of: string]>> = {
  FillRate: ['NetImpressions', 'Requests'],
};

/** A figure of all days: a sum, of a share the share of the sums. */
export function totalOf(rows: readonly Row[], name: string): number {
  const sum = (of: string) => rows.reduce((total, row) => total + Number(row[of] ?? 0), 0);
  const share = shares[name];
  if (!share) return sum(name);
  const whole = sum(share[1]);
  return whole === 0 ? 0 : (100 * sum(share[0])) / whole;
}

/** All figures of all days. */
export const totalsOf = (rows: readonly Row[]): Readonly<Record<string, number>> =>
  Object.fromEntries(figuresOf(rows).map((name) => [name, totalOf(rows, name)]));
