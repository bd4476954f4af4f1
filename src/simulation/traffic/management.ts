import { setTimeout } from 'node:timers/promises';
import type { HttpClient, HttpResult } from '../http-client.ts';
import type { DeviceKind } from './viewers.ts';
import { everyDevice, type Zone } from './zone.ts';

interface ListedTag {
  readonly Id: number;
  readonly StatsByDateJson: string;
  readonly TodayRevenue: number;
  readonly YesterdayRevenue: number;
}

interface VastTag {
  readonly WebEnabled: number;
  readonly DeviceTypes: readonly number[];
  readonly ZoneUrls: readonly { readonly ZoneUrl: string }[];
}

/** Since a moment; USD. */
export interface TagCounts {
  readonly requests: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly spent: number;
  readonly revenue: number;
}

/** Every method rejects with a readable error. */
export interface ManagementClient {
  /** Of active VAST Tags, at most 1000. */
  zones(): Promise<Zone[]>;
  /** Starts now; the returned function gives what was counted since. At most one midnight (UTC) may pass. */
  counting(): Promise<() => Promise<TagCounts>>;
}

const kindsByType: Readonly<Record<number, readonly DeviceKind[]>> = {
  1: ['phone', 'tablet'],
  2: ['desktop'],
  3: ['tv'],
  4: ['phone'],
  5: ['tablet'],
  6: ['tv'],
  7: ['tv'],
};
const zonesMax = 1000;
const appKinds: readonly DeviceKind[] = ['phone', 'tablet', 'bot'];

/** Those that it targets; else, if it is not for the web, those that have apps. */
function kindsOf({ DeviceTypes, WebEnabled }: VastTag): ReadonlySet<DeviceKind> {
  const wanted = DeviceTypes.flatMap((type) => kindsByType[type] ?? []);
  if (wanted.length > 0) return new Set([...wanted, 'bot']);
  return WebEnabled === 0 ? new Set(appKinds) : everyDevice;
}

const tooMany = 429;
/** Before another try: a server limits the requests of a token per second (reference, O1). */
const limitMs = 1000;
const triesMax = 30;

function parsed(url: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new Error(`${url} answers with something that is not JSON: is it a Bourse server?`, {
      cause: error,
    });
  }
}

function bodyOf(url: string, result: HttpResult): unknown {
  if ('failure' in result) throw new Error(`${url} does not answer: ${result.failure}`);
  if (result.status === 200) return parsed(url, result.body);
  const reason = /"Error":"([^"]*)"/.exec(result.body)?.[1];
  throw new Error(`${url} answers with ${result.status}${reason ? `: ${reason}` : ''}`);
}

async function ask(http: HttpClient, url: string, call: Parameters<HttpClient['call']>[1]): Promise<unknown> {
  return bodyOf(url, await http.call(url, call));
}

/** Returns the access token. Rejects with the server's message. */
export async function logIn(http: HttpClient, url: string, mail: string, password: string): Promise<string> {
  const body = { Username: mail, Password: password };
  const answer = (await ask(http, `${url}/api/auth/login`, { body })) as { readonly AccessToken: string };
  return answer.AccessToken;
}

type StatisticsRow = Readonly<
  Record<'Requests' | 'NetImpressions' | 'Clicks' | 'Spent', number> & Record<'DateStats', string>
>;

interface Figures {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly rows: readonly StatisticsRow[];
  readonly tags: readonly ListedTag[];
}

const sumOf = <T>(rows: readonly T[], figure: (row: T) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0);

function countedBetween(before: Figures, after: Figures): TagCounts {
  const since = (figure: (row: StatisticsRow) => number) =>
    Number((sumOf(after.rows, figure) - sumOf(before.rows, figure)).toFixed(6));
  const isNextDay = after.lastDay > before.lastDay;
  const earned = sumOf(
    after.tags,
    ({ TodayRevenue, YesterdayRevenue }) => TodayRevenue + (isNextDay ? YesterdayRevenue : 0),
  );
  return {
    requests: since(({ Requests }) => Requests),
    impressions: since(({ NetImpressions }) => NetImpressions),
    clicks: since(({ Clicks }) => Clicks),
    spent: since(({ Spent }) => Spent),
    revenue: Number((earned - sumOf(before.tags, ({ TodayRevenue }) => TodayRevenue)).toFixed(6)),
  };
}

/** `token` is called for each request, because tokens expire. Waits at a rate limit. */
export function createManagementClient(
  http: HttpClient,
  url: string,
  token: () => Promise<string>,
  wait: (ms: number) => Promise<unknown> = setTimeout,
): ManagementClient {
  const get = async (query: string) => {
    const path = `${url}/api/ortb/vasttag/get?${query}`;
    for (let tries = 1; ; tries += 1) {
      const headers = { authorization: `Bearer ${await token()}` };
      const result = await http.call(path, { headers });
      if (!('status' in result) || result.status !== tooMany || tries === triesMax)
        return bodyOf(path, result);
      await wait(limitMs);
    }
  };
  const vastTags = async () => (await get('ActiveOnly=1')) as readonly ListedTag[];
  const statisticsOf = async ({ StatsByDateJson }: ListedTag, firstDay: string) => {
    const filled = StatsByDateJson.replace('{date_from}', firstDay).replaceAll(/\{\w+\}/g, '');
    return (await ask(http, filled, {})) as readonly StatisticsRow[];
  };
  const figuresFrom = async (firstDay: string): Promise<Figures> => {
    const tags = await vastTags();
    const rows = (await Promise.all(tags.map((tag) => statisticsOf(tag, firstDay)))).flat();
    const days = rows.map(({ DateStats }) => DateStats).sort();
    return { firstDay: days[0] ?? firstDay, lastDay: days.at(-1) ?? firstDay, rows, tags };
  };
  return {
    async zones() {
      const found: Zone[] = [];
      for (const { Id } of (await vastTags()).slice(0, zonesMax)) {
        const tag = (await get(`Id=${Id}`)) as VastTag;
        const [first] = tag.ZoneUrls;
        if (first) found.push({ url: first.ZoneUrl, kinds: kindsOf(tag) });
      }
      return found;
    },
    async counting() {
      // By the server's rows, because clocks differ.
      const before = await figuresFrom('');
      return async () => countedBetween(before, await figuresFrom(before.firstDay));
    },
  };
}
