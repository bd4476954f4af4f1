import { loadsInsecurely } from '../insecure-url.ts';
import { isObject, parseJson, parseJsonExactly } from '../json.ts';

type Members = Readonly<Record<string, unknown>>;

function adIn(markup: string): Members | undefined {
  // Unlike JSON, `trim` takes a byte order mark for white space.
  const parsed = parseJsonExactly(markup.trim(), 'everywhere');
  const value = isObject(parsed) ? parsed : undefined;
  const ad = isObject(value?.native) ? value.native : value;
  return ad && Array.isArray(ad.assets) ? ad : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Event 1 is an impression, method 1 an image (Dynamic Native Ads API 1.2, section 7.8). */
const impressionByImage = { event: 1, method: 1 };

/** How to write a native ad for its reader. */
export interface NativeForm {
  /** In an object `native`, the root in version 1.0. */
  readonly isWrapped: boolean;
  /** As the request writes it, such as `1.1`. */
  readonly version: string;
  /** Uses `eventtrackers` (since 1.2), which older readers do not know. */
  readonly hasEventTrackers: boolean;
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const [rootless, eventTrackers] = [1.1, 1.2];

/** The request's own (section 5.1); of `ver` if unreadable. */
export function nativeFormOf({
  request,
  ver,
}: {
  readonly request: string;
  readonly ver?: string;
}): NativeForm {
  const parsed = parseJson(request);
  const value = isObject(parsed) ? parsed : undefined;
  const inner = isObject(value?.native) ? value.native : undefined;
  const asked = inner ?? value;
  const version = textIn(asked?.ver) || textIn(ver) || '1.2';
  const number = Number.parseFloat(version) || eventTrackers;
  return {
    isWrapped: value === undefined ? number < rootless : inner !== undefined,
    version,
    hasEventTrackers: number >= eventTrackers || Array.isArray(asked?.eventtrackers),
  };
}

/** Moves impression trackers to where older versions have them, and drops others. */
function withoutEventTrackers({ eventtrackers, ...ad }: Members, version: string): Members {
  const ofImpressions = listOf(eventtrackers)
    .filter(isObject)
    .filter(({ event }) => event === 1);
  const urlsBy = (wanted: number) =>
    ofImpressions.filter(({ method, url }) => method === wanted && textIn(url) !== '').map(({ url }) => url);
  const [script] = urlsBy(2);
  return {
    ...ad,
    ...(ad.ver !== undefined && { ver: version }),
    imptrackers: [...listOf(ad.imptrackers), ...urlsBy(1)],
    ...(script !== undefined &&
      ad.jstracker === undefined && {
        jstracker: `<script src="${textIn(script).replaceAll('"', '%22')}"></script>`,
      }),
  };
}

function withTrackers(ad: Members, urls: readonly string[]): Members {
  if (urls.length === 0) return ad;
  const trackers = urls.map((url) => ({ ...impressionByImage, url }));
  return Array.isArray(ad.eventtrackers)
    ? { ...ad, eventtrackers: [...ad.eventtrackers, ...trackers] }
    : { ...ad, imptrackers: [...listOf(ad.imptrackers), ...urls] };
}

/** In the form asked for, with more impression trackers; undefined if it is no native ad. */
export function nativeWithTrackers(
  markup: string,
  urls: readonly string[],
  { isWrapped, version, hasEventTrackers }: NativeForm,
): string | undefined {
  const found = adIn(markup);
  if (found === undefined) return undefined;
  const ad = hasEventTrackers || !found.eventtrackers ? found : withoutEventTrackers(found, version);
  const tracked = withTrackers(ad, urls);
  return JSON.stringify(isWrapped ? { native: tracked } : tracked);
}

export function isNativeAd(markup: string): boolean {
  return adIn(markup) !== undefined;
}

const plainHttp = /^\s*http:/i;

/** Only read or opened, never loaded. */
const unloaded: ReadonlySet<string> = new Set(['privacy', 'title', 'data']);

/** Of a link only its trackers. */
const loadedOf = (name: string, value: unknown): unknown =>
  name === 'link' && isObject(value) ? value.clicktrackers : value;

function loadsByHttp(value: unknown): boolean {
  if (typeof value === 'string') return plainHttp.test(value) || loadsInsecurely(value);
  if (Array.isArray(value)) return value.some(loadsByHttp);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => !unloaded.has(name) && loadsByHttp(loadedOf(name, member)),
  );
}

/** A click's URL does not count: it is opened, not loaded. */
export function loadsNativeInsecurely(markup: string): boolean {
  return /http:/i.test(markup) && loadsByHttp(adIn(markup));
}
