import { loadsInsecurely } from '../insecure-url.ts';
import { isObject, parseJson } from '../json.ts';

type Members = Readonly<Record<string, unknown>>;

function adIn(markup: string): { ad: Members; isWrapped: boolean } | undefined {
  const parsed = parseJson(markup);
  const value = isObject(parsed) ? parsed : undefined;
  const inner = value?.native;
  const ad = isObject(inner) ? inner : value;
  return ad && Array.isArray(ad.assets) ? { ad, isWrapped: ad === inner } : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Event 1 is an impression, method 1 an image (Dynamic Native Ads API 1.2, section 7.8). */
const impressionByImage = { event: 1, method: 1 };

/** A native ad (Dynamic Native Ads API 1.2, section 5) with more impression trackers; undefined if it is none. */
export function nativeWithTrackers(markup: string, urls: readonly string[]): string | undefined {
  const found = adIn(markup);
  if (found === undefined) return undefined;
  const { ad, isWrapped } = found;
  const tracked = Array.isArray(ad.eventtrackers)
    ? {
        ...ad,
        eventtrackers: [...listOf(ad.eventtrackers), ...urls.map((url) => ({ ...impressionByImage, url }))],
      }
    : { ...ad, imptrackers: [...listOf(ad.imptrackers), ...urls] };
  return JSON.stringify(isWrapped ? { native: tracked } : tracked);
}

/** Whether markup is a native ad. */
export function isNativeAd(markup: string): boolean {
  return adIn(markup) !== undefined;
}

const plainHttp = /^\s*http:/i;

/** Members of an ad that load nothing: they are only read or opened. */
const unloaded: ReadonlySet<string> = new Set(['privacy', 'title', 'data']);

/** The part of a member that is loaded: of a link only its trackers. */
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

/** Whether a native ad loads something by plain http. A click's URL does not count: it is opened, not loaded. */
export function loadsNativeInsecurely(markup: string): boolean {
  return /http:/i.test(markup) && loadsByHttp(adIn(markup)?.ad);
}
