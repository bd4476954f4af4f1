import { type Generation, generationOf, orderIn } from './element-order.ts';
import { xmlAttribute, xmlCdata, xmlText } from './xml-values.ts';

/** The versions that we write. */
export type VastVersion = '3.0' | '4.0';

/** Moments of a linear ad that players report, in order of time (VAST, TrackingEvents of Linear). */
export const quartileEvents = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'] as const;
/** One of these moments. */
export type QuartileEvent = (typeof quartileEvents)[number];

/** The values that InLine ads and wrappers have in common. URLs may contain the macros of VAST. */
interface AdValues {
  readonly id?: string;
  readonly adSystem: string;
  readonly impressions?: readonly string[];
  readonly error?: string;
  readonly clickTracking?: readonly string[];
  readonly tracking?: Readonly<Partial<Record<QuartileEvent, string>>>;
  /** In USD; sent as CPM. */
  readonly priceCpm?: number;
}

/** A file that a player may play (VAST, MediaFile). */
export interface MediaFile {
  readonly url: string;
  /** MIME type. */
  readonly type: string;
  readonly delivery: 'progressive' | 'streaming';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bitrateKbps?: number;
}

/** A linear ad with its media. The schema wants an impression, which may also be injected later. */
export interface InLineAd extends AdValues {
  readonly title: string;
  readonly advertiser?: string;
  /** IAB names; only VAST 4 has a place for them. */
  readonly categories?: readonly string[];
  readonly creativeId?: string;
  /** Registered ID of the creative (VAST 4.0, UniversalAdId); `unknown` where there is none. */
  readonly universalAdId?: { readonly registry: string; readonly value: string };
  readonly durationSeconds: number;
  readonly media: readonly MediaFile[];
  readonly clickThrough?: string;
}

/** An ad that is found at another URL. */
export interface WrapperAd extends AdValues {
  readonly url: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;
type Parts = Readonly<Record<string, string | undefined>>;

const namespace = 'http://www.iab.com/VAST';
const iabTaxonomy = 'https://www.iabtechlab.com/categories/content-taxonomy-1.0';

function attributesText(attributes: Attributes): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`).join('');
}

function element(name: string, content: string, attributes: Attributes = {}): string {
  return `<${name}${attributesText(attributes)}>${content}</${name}>`;
}

/** Elements of one name, one for each URL. */
function urls(name: string, values: readonly string[] | undefined): string {
  return (values ?? []).map((url) => element(name, xmlCdata(url))).join('');
}

/** An element with its parts in the order of the schema; parts that the schema does not know are left out. */
function ordered(generation: Generation, name: string, parts: Parts, attributes: Attributes = {}): string {
  const content = orderIn(generation, name).map((part) => parts[part] ?? '');
  return element(name, content.join(''), attributes);
}

function trackingEvents(tracking: AdValues['tracking']): string {
  const events = quartileEvents.flatMap((event) => {
    const url = tracking?.[event];
    return url === undefined ? [] : [element('Tracking', xmlCdata(url), { event })];
  });
  return events.length === 0 ? '' : element('TrackingEvents', events.join(''));
}

function videoClicks(generation: Generation, clickThrough: string | undefined, tracking = ''): string {
  if (!clickThrough && tracking === '') return '';
  const through = clickThrough ? urls('ClickThrough', [clickThrough]) : '';
  return ordered(generation, 'VideoClicks', { ClickThrough: through, ClickTracking: tracking });
}

/** Seconds as `HH:MM:SS`, cut to less than a day, as `xs:time` wants it. */
function timeOf(seconds: number): string {
  const whole = Math.min(Math.max(0, Math.round(seconds)), 86_399);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function mediaFile(file: MediaFile): string {
  const { delivery, type, width, height, bitrateKbps } = file;
  return element('MediaFile', xmlCdata(file.url), { delivery, type, bitrate: bitrateKbps, width, height });
}

function shared(generation: Generation, ad: AdValues): Parts {
  const model = generation === 4 ? 'CPM' : 'cpm';
  return {
    AdSystem: element('AdSystem', xmlText(ad.adSystem)),
    Error: urls('Error', ad.error === undefined ? [] : [ad.error]),
    Impression: urls('Impression', ad.impressions),
    Pricing:
      ad.priceCpm === undefined ? '' : element('Pricing', String(ad.priceCpm), { model, currency: 'USD' }),
  };
}

function linear(generation: Generation, ad: InLineAd): string {
  return ordered(generation, 'Linear', {
    Duration: element('Duration', timeOf(ad.durationSeconds)),
    TrackingEvents: trackingEvents(ad.tracking),
    VideoClicks: videoClicks(generation, ad.clickThrough, urls('ClickTracking', ad.clickTracking)),
    MediaFiles: element('MediaFiles', ad.media.map(mediaFile).join('')),
  });
}

function inLine(generation: Generation, ad: InLineAd): string {
  const { registry, value } = ad.universalAdId ?? { registry: 'unknown', value: 'unknown' };
  const universal = element('UniversalAdId', xmlText(value), { idRegistry: registry, idValue: value });
  const creativeParts = { Linear: linear(generation, ad), UniversalAdId: universal };
  const creative = ordered(generation, 'Creative', creativeParts, { id: ad.creativeId || undefined });
  const categories = ad.categories ?? [];
  return ordered(generation, 'InLine', {
    ...shared(generation, ad),
    AdTitle: element('AdTitle', xmlText(ad.title)),
    Advertiser: ad.advertiser ? element('Advertiser', xmlText(ad.advertiser)) : '',
    Category: categories
      .map((name) => element('Category', xmlText(name), { authority: iabTaxonomy }))
      .join(''),
    Creatives: element('Creatives', creative),
  });
}

function wrapper(generation: Generation, ad: WrapperAd): string {
  const clicks = videoClicks(generation, undefined, urls('ClickTracking', ad.clickTracking));
  const parts = { TrackingEvents: trackingEvents(ad.tracking), VideoClicks: clicks };
  const isTracked = parts.TrackingEvents !== '' || clicks !== '';
  const creative = isTracked ? element('Creative', ordered(generation, 'Linear', parts)) : '';
  return ordered(generation, 'Wrapper', {
    ...shared(generation, ad),
    VASTAdTagURI: urls('VASTAdTagURI', [ad.url]),
    // 3.0 requires the element and lets it be empty; 4.0 is the other way round.
    Creatives: generation === 3 || isTracked ? element('Creatives', creative) : '',
  });
}

function document(version: VastVersion, content: string): string {
  const xmlns = version === '4.0' ? namespace : undefined;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('VAST', content, { version, xmlns })}`;
}

const empty: Readonly<Record<VastVersion, string>> = {
  '3.0': document('3.0', ''),
  '4.0': document('4.0', ''),
};

/** A document without an ad, after which players move on (VAST, "no ad response"). */
export function emptyVast(version: VastVersion): string {
  return empty[version];
}

/** A document with one InLine ad. It is well-formed whatever the values are. */
export function inLineVast(version: VastVersion, ad: InLineAd): string {
  return document(version, element('Ad', inLine(generationOf(version), ad), { id: ad.id || undefined }));
}

/** A document with one wrapper, which makes the player ask another URL. */
export function wrapperVast(version: VastVersion, ad: WrapperAd): string {
  return document(version, element('Ad', wrapper(generationOf(version), ad), { id: ad.id || undefined }));
}
