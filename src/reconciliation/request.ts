import type { OutboundRequest } from '../exchange/demand/demand-kind.ts';
import { headersOfLines } from '../exchange/demand/outbound/header-lines.ts';
import { dateOf } from '../statistics/days.ts';
import type { FetchedDays, PartnerFetch } from '../store/reconciliation/interface.ts';

export const fragmentOf = (url: string): string => url.split('#').slice(1).join('#');

export function requestFor(
  { url, headers }: Pick<PartnerFetch, 'url' | 'headers'>,
  { fromDay, toDay }: FetchedDays,
): OutboundRequest {
  const [place = ''] = url.split('#');
  const dates = { date_from: dateOf(fromDay), date_to: dateOf(toDay) };
  const filled = place.replaceAll(/\{(date_from|date_to)\}/g, (_, name: keyof typeof dates) => dates[name]);
  const common = { accept: 'application/json, text/csv, application/xml', 'user-agent': 'Bourse' };
  return { method: 'GET', url: filled, headers: common, secretHeaders: headersOfLines(headers) };
}
