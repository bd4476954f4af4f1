import type { OutboundRequest } from '../exchange/demand/demand-kind.ts';
import { isConnectionHeader } from '../reference/connection-headers.ts';
import { dateOf } from '../statistics/days.ts';
import type { FetchedDays, PartnerFetch } from '../store/reconciliation/interface.ts';

function headersOf(lines: string): Record<string, string> {
  const rows = lines.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    return name === '' || isConnectionHeader(name) ? [] : [[name, line.slice(colon + 1).trim()]];
  });
  return Object.fromEntries(rows);
}

export const fragmentOf = (url: string): string => url.split('#').slice(1).join('#');

export function requestFor(
  { url, headers }: Pick<PartnerFetch, 'url' | 'headers'>,
  { fromDay, toDay }: FetchedDays,
): OutboundRequest {
  const [place = ''] = url.split('#');
  const dates = { date_from: dateOf(fromDay), date_to: dateOf(toDay) };
  const filled = place.replaceAll(/\{(date_from|date_to)\}/g, (_, name: keyof typeof dates) => dates[name]);
  const common = { accept: 'application/json, text/csv, application/xml', 'user-agent': 'Bourse' };
  return { method: 'GET', url: filled, headers: common, secretHeaders: headersOf(headers) };
}
