import { entityOf } from '../field-tables.ts';
import { type ReportFilter, type ReportSearch, readReportSearch } from '../reports/report-search.ts';
import type { Subject } from '../reports/subject.ts';

/** What the address of a funnel says: a supply object, a demand object or both, as `VastTag:1`, and the time. */
export interface FunnelSearch extends Pick<ReportSearch, 'period' | 'from' | 'to' | 'zone'> {
  readonly supply?: string | undefined;
  readonly demand?: string | undefined;
}

/** The period of a funnel whose address names none. */
export const funnelPeriod = 'Today';

/** What an address says, as far as it says something. */
export function readFunnelSearch(sent: Readonly<Record<string, unknown>>): FunnelSearch {
  const { period, from, to, zone } = readReportSearch(sent);
  return {
    supply: readObject(sent.supply, 'supply'),
    demand: readObject(sent.demand, 'demand'),
    period,
    from,
    to,
    zone,
  };
}

/** A name as `VastTag:1` of an object of a side; undefined for what is none. */
export function readObject(value: unknown, side: 'supply' | 'demand'): string | undefined {
  const [, kind = ''] = /^([A-Za-z]+):[1-9]\d*$/.exec(String(value ?? '')) ?? [];
  return entityOf(kind)?.side === side ? String(value) : undefined;
}

export function namedObject(name: string): Subject {
  const [entity = '', id = ''] = name.split(':');
  return { entity, id: Number(id) };
}

export const objectName = ({ entity, id }: Subject): string => `${entity}:${id}`;

/** The address of an object's funnel. */
export function funnelOf(entity: string, id: number): FunnelSearch {
  const side = entityOf(entity)?.side;
  return side === 'supply' || side === 'demand' ? { [side]: objectName({ entity, id }) } : {};
}

/** Filters for the objects of a funnel; `isOwn`: only what the supply object counts by itself. */
export function filtersOf({ supply, demand }: FunnelSearch, isOwn: boolean): readonly ReportFilter[] {
  const one = (Field: string, value: string | undefined): readonly ReportFilter[] =>
    value === undefined ? [] : [{ Field, Operator: 'In', Values: [value] }];
  const kind = { Field: 'DemandKind', Operator: isOwn ? 'In' : 'NotIn', Values: [''] } as const;
  const isBySupply = isOwn || demand === undefined;
  return [
    ...one('Supply', supply),
    ...(isOwn ? [] : one('Demand', demand)),
    // A demand object by itself tells it already.
    ...(isBySupply ? [kind] : []),
  ];
}
