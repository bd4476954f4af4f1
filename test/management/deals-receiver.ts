import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const texts: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(text);
const code =
  (...codes: readonly number[]): Check =>
  (value) =>
    codes.some((one) => one === value);
const codes =
  (...known: readonly number[]): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => known.includes(one));
/** "UTC timestamp in seconds in ISO-8601" */
const utcSeconds: Check = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) &&
  `${new Date(value).toISOString().slice(0, 19)}Z` === value;
const amount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0;
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const domain = matching(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/);
const alpha3: Check = (value) => Array.isArray(value) && value.every(matching(/^[A-Z]{3}$/));
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

interface Row {
  /** Heading of the table in the IAB Deals API 1.0 (`deal1.0.md` of IABTechLab/deal-api). */
  readonly section: 'Object: Deal' | 'Object: Terms' | 'Object: Curation';
  readonly attribute: string;
  readonly isRequired?: true;
  readonly check: Check;
}

/** Attributes in the text's order; `inventory` only stands with `dinventory` 1. */
const attributes: readonly Row[] = [
  { section: 'Object: Deal', attribute: 'id', isRequired: true, check: text },
  { section: 'Object: Deal', attribute: 'name', check: text },
  { section: 'Object: Deal', attribute: 'created', check: utcSeconds },
  { section: 'Object: Deal', attribute: 'sellerstatus', check: code(0, 1, 2, 3, 4) },
  { section: 'Object: Deal', attribute: 'origin', isRequired: true, check: domain },
  { section: 'Object: Deal', attribute: 'seller', check: domain },
  { section: 'Object: Deal', attribute: 'desc', check: (value) => text(value) && String(value).length <= 250 },
  { section: 'Object: Deal', attribute: 'wseat', check: texts },
  { section: 'Object: Deal', attribute: 'bseat', check: texts },
  { section: 'Object: Deal', attribute: 'adtypes', check: codes(1, 2, 3, 4) },
  { section: 'Object: Deal', attribute: 'auxdata', check: code(0, 1, 2, 3, 4) },
  { section: 'Object: Deal', attribute: 'pubcount', check: code(0, 1, 2) },
  { section: 'Object: Deal', attribute: 'dinventory', check: code(0, 1, 2) },
  { section: 'Object: Deal', attribute: 'terms', isRequired: true, check: object },
  { section: 'Object: Deal', attribute: 'curation', check: object },
  { section: 'Object: Terms', attribute: 'startdate', check: utcSeconds },
  { section: 'Object: Terms', attribute: 'enddate', check: utcSeconds },
  { section: 'Object: Terms', attribute: 'countries', check: (value) => texts(value) && alpha3(value) },
  { section: 'Object: Terms', attribute: 'dealfloor', check: amount },
  // Required by us: no receiver has to know that USD is meant.
  { section: 'Object: Terms', attribute: 'cur', isRequired: true, check: matching(/^[A-Z]{3}$/) },
  { section: 'Object: Terms', attribute: 'guar', check: code(0, 1) },
  { section: 'Object: Terms', attribute: 'pricetype', check: code(0, 1, 2, 3) },
  { section: 'Object: Terms', attribute: 'units', check: count },
  { section: 'Object: Terms', attribute: 'totalcost', check: amount },
  { section: 'Object: Curation', attribute: 'curator', check: domain },
  { section: 'Object: Curation', attribute: 'cdealid', check: text },
  { section: 'Object: Curation', attribute: 'curfeetype', check: code(0, 1, 2, 3, 4) },
]; // biome-ignore format: a table

type Members = Readonly<Record<string, unknown>>;

function faultsIn(section: Row['section'], value: Members): string[] {
  const rows = attributes.filter((row) => row.section === section);
  const wrong = rows.filter(({ attribute, isRequired = false, check }) =>
    attribute in value ? !check(value[attribute]) : isRequired,
  );
  const known = new Set(rows.map(({ attribute }) => attribute));
  return [
    ...wrong.map(({ attribute }) => `${section}, ${attribute}: ${JSON.stringify(value[attribute])}`),
    ...Object.keys(value).flatMap((name) => (known.has(name) ? [] : [`${section} has no ${name}`])),
  ];
}

/** What of a deal is not as the text of the Deals API says; none = it is valid. */
function dealFaults(deal: Members): string[] {
  const { terms, curation, wseat, bseat } = deal;
  const { startdate, enddate } = (terms ?? {}) as Members;
  return [
    ...faultsIn('Object: Deal', deal),
    ...faultsIn('Object: Terms', (terms ?? {}) as Members),
    ...(curation === undefined ? [] : faultsIn('Object: Curation', curation as Members)),
    ...(wseat && bseat ? ['Object: Deal: only one of wseat and bseat'] : []),
    ...(startdate && enddate && String(enddate) < String(startdate) ? ['Object: Terms: ends first'] : []),
  ];
}

export interface PushedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly deal: Members;
  readonly faults: readonly string[];
}

/** A buyer's endpoint of the Deals API: it refuses what is not valid, and answers valid deals as `answers` says. */
export async function startDealsReceiver() {
  const posts: PushedPost[] = [];
  /** For the next posts; by default each deal is pending for the buyer as a whole. */
  const answers: ((response: ServerResponse, deal: Members) => void)[] = [];
  const pending = (response: ServerResponse, { id }: Members) =>
    response.end(JSON.stringify({ version: '1.0', id, buyerstatus: [{ buyerseatid: 'seat-1', status: 0 }] }));
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const deal = JSON.parse(body) as Members;
    const faults = dealFaults(deal);
    posts.push({ path: request.url ?? '', headers: request.headers, deal, faults });
    if (faults.length > 0) response.writeHead(400).end(faults.join('\n'));
    else (answers.shift() ?? pending)(response, deal);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/deals`,
    posts,
    answers,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
