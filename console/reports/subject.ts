import { entityOf, reports } from '../field-tables.ts';
import type { ReportFilter } from './report-search.ts';

export interface Subject {
  readonly entity: string;
  readonly id: number;
}

/** The object that a value of a filter names; undefined for a text or code. */
export function objectOf(field: string, value: string | number): Subject | undefined {
  const shows = reports.dimensions[field]?.shows;
  if (typeof shows !== 'object') return undefined;
  if ('account' in shows) return { entity: shows.account, id: Number(value) };
  const [entity = '', id = ''] = String(value).split(':');
  return { entity, id: Number(id) };
}

/** The filter for what one object, of any kind that is counted, has counted; undefined for others. */
export function filterOf(entity: string, id: number): ReportFilter | undefined {
  for (const [Field, { shows }] of Object.entries(reports.dimensions)) {
    if (typeof shows !== 'object') continue;
    const isOf = 'account' in shows ? shows.account === entity : shows.objects.includes(entity);
    if (isOf) return { Field, Operator: 'In', Values: ['account' in shows ? id : `${entity}:${id}`] };
  }
  return undefined;
}

const ofAll = ['Impressions', 'Clicks', 'Revenue', 'Cost', 'Profit', 'Margin'];

/**
 * What is counted of an entity's objects beside what all count: requests come to supply, calls go to demand, but for
 * campaigns, which bid without one.
 */
export function figuresFor(entity: string): readonly string[] {
  const isDemand = entityOf(entity)?.side === 'demand' || entity === 'Advertiser';
  if (!isDemand) return ['Requests', 'FillRate', 'Bids', 'Wins', ...ofAll];
  return [...(entity === 'Campaign' ? [] : ['Calls']), 'Bids', 'Wins', 'WinRate', ...ofAll];
}
