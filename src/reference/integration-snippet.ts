import { type PrebidMedium, prebidMedia } from './integration-code.ts';
import type { Integration } from './integrations.ts';
import { ownMember } from './own-member.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a snippet is made for. */
export interface TaggedObject {
  /** As the API answers it. */
  readonly object: Values & { readonly Id: number };
  /** Zone, feed and direct URLs of one region, with the macros that they are handed out with. */
  readonly urls: readonly string[];
  /** The exchange's ID in the Global Vendor List; 0 = none. */
  readonly vendor: number;
  /** Of the exchange: its team's name. */
  readonly exchange: string;
}

/** Of a player or banner whose object does not say how large it is. */
const standardSizes = {
  vast: [640, 360],
  banner: [300, 250],
  rtb: [0, 0],
  pop: [0, 0],
  direct: [0, 0],
} as const;

/** The last one, so that of the forms of a feed it is JSON. */
function urlFor({ calls }: Integration, urls: readonly string[]): string | undefined {
  return urls.findLast((url) => new RegExp(String.raw`/${calls}(?:\?|$)`).test(url));
}

const sizeOf = (value: unknown, standard: number) =>
  typeof value === 'number' && value > 0 ? value : standard;

/** What the object knows stands in the URL, and what the platform can fill in; the rest is left out. */
function urlWith(url: string, known: Readonly<Record<string, string>>): string {
  const [start = '', query = ''] = url.split('?');
  const values = new Map(Object.entries(known));
  const pairs = query.split('&').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=');
    const own = values.get(name);
    values.delete(name);
    if (!/^\{\w+\}$/.test(value)) return [pair];
    return own === undefined ? [] : [`${name}=${own}`];
  });
  return `${start}?${[...pairs, ...[...values].map(([name, value]) => `${name}=${value}`)].join('&')}`;
}

/** Ad servers' keys are short: `hb_pb_` and the bidder have 20 characters. */
const aliasCharactersMax = 14;

/** What Prebid takes as a bidder; `bourse` is the adapter's own. */
function aliasOf(exchange: string): string {
  const letters = exchange
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, aliasCharactersMax);
  return letters === '' || letters === 'bourse' ? 'exchange' : letters;
}

/** By its flags; banners if it has none set. */
function mediaOf(object: Values): readonly PrebidMedium[] {
  const media = prebidMedia.filter(
    (medium) => ownMember(object, `${medium.charAt(0).toUpperCase()}${medium.slice(1)}Enabled`) === 1,
  );
  return media.length > 0 ? media : ['banner'];
}

/** The code for a platform; undefined if the object has no URL that it calls, or not its medium. */
export function snippetOf(
  integration: Integration,
  { object, urls, vendor, exchange }: TaggedObject,
): { readonly code: string; readonly fileName: string } | undefined {
  const { calls, macros, medium } = integration;
  const handed = urlFor(integration, urls);
  const media = mediaOf(object);
  if (handed === undefined || (medium && !media.includes(medium))) return undefined;
  const [standardWidth, standardHeight] = standardSizes[calls];
  const width = sizeOf(object.Width, standardWidth);
  const height = sizeOf(object.Height, standardHeight);
  const size: Readonly<Record<string, string>> =
    width > 0 && height > 0 ? { width: String(width), height: String(height) } : {};
  const url = urlWith(handed, { ...size, ...macros }).replaceAll('_VENDOR', vendor === 0 ? '' : `_${vendor}`);
  const alias = aliasOf(exchange);
  const code = integration.code({ url, id: object.Id, width, height, media, vendor, alias });
  return {
    code,
    fileName: integration.fileName.replace('{alias}', alias).replace('{id}', String(object.Id)),
  };
}
