import { type Integration, type IntegrationName, integrationRows } from './integrations.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a snippet is made for. */
export interface TaggedObject {
  /** As the API answers it. */
  readonly object: Values & { readonly Id: number };
  /** Zone, feed and direct URLs of one region, with the macros that they are handed out with. */
  readonly urls: readonly string[];
  /** The exchange's ID in the Global Vendor List; 0 = none. */
  readonly vendor: number;
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

/** The code for a platform; undefined if the object has no URL that it calls. */
export function snippetOf(
  integration: Integration,
  { object, urls, vendor }: TaggedObject,
): string | undefined {
  const { calls, macros, code } = integration;
  const handed = urlFor(integration, urls);
  if (handed === undefined) return undefined;
  const [standardWidth, standardHeight] = standardSizes[calls];
  const width = sizeOf(object.Width, standardWidth);
  const height = sizeOf(object.Height, standardHeight);
  const size: Readonly<Record<string, string>> =
    width > 0 && height > 0 ? { width: String(width), height: String(height) } : {};
  const url = urlWith(handed, { ...size, ...macros }).replaceAll('_VENDOR', vendor === 0 ? '' : `_${vendor}`);
  const hasVideo = object.VideoEnabled === 1;
  return code({
    url,
    id: object.Id,
    width,
    height,
    hasVideo,
    hasBanner: object.BannerEnabled === 1 || !hasVideo,
  });
}

/** The platforms that can call an object, by its URLs. */
export const integrationsFor = (
  urls: readonly string[],
): readonly (readonly [IntegrationName, Integration])[] =>
  integrationRows.filter(([, integration]) => urlFor(integration, urls) !== undefined);
