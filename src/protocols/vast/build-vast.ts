import { ownMember } from '../../reference/own-member.ts';
import { type AdForm, elementIn } from './schema.ts';
import type { VastVersion } from './vast-version.ts';
import { xmlAttribute, xmlCdata, xmlText } from './xml-values.ts';

export type OwnVersion = Extract<VastVersion, '3.0' | '4.0'>;
/** Since VAST 4.0. */
export const vastNamespace = 'http://www.iab.com/VAST';

/** In order of time (VAST, TrackingEvents of Linear). */
export const quartileEvents = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'] as const;
export type QuartileEvent = (typeof quartileEvents)[number];

/** The viewer skipped it (since VAST 3.0). */
export const skipEvent = 'skip';

/** VAST, MediaFile. */
export interface MediaFile {
  readonly url: string;
  /** MIME type. */
  readonly type: string;
  readonly delivery: 'progressive' | 'streaming';
  readonly width: number;
  readonly height: number;
  readonly bitrateKbps?: number;
}

/** The schema wants an impression, which may also be injected later. */
export interface InLineAd {
  readonly id?: string;
  readonly adSystem: string;
  readonly impressions?: readonly string[];
  readonly error?: string;
  readonly clickTracking?: readonly string[];
  readonly tracking?: Readonly<Partial<Record<QuartileEvent, string>>>;
  /** In USD; sent as CPM. */
  readonly priceCpm?: number;
  readonly title: string;
  readonly advertiser?: string;
  /** IAB names; only VAST 4 has a place for them. */
  readonly categories?: readonly string[];
  readonly creativeId?: string;
  /** VAST 4.0, UniversalAdId; `unknown` if there is none. */
  readonly universalAdId?: { readonly registry: string; readonly value: string };
  readonly durationSeconds: number;
  readonly media: readonly MediaFile[];
  readonly clickThrough?: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;
type Parts = Readonly<Record<string, string | undefined>>;

const iabTaxonomy = 'https://www.iabtechlab.com/categories/content-taxonomy-1.0';

function attributesText(attributes: Attributes): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`).join('');
}

function element(name: string, content: string, attributes: Attributes = {}): string {
  return `<${name}${attributesText(attributes)}>${content}</${name}>`;
}

function urls(name: string, values: readonly string[] | undefined): string {
  return (values ?? []).map((url) => element(name, xmlCdata(url))).join('');
}

interface Schema {
  readonly version: OwnVersion;
  readonly form: AdForm;
}

/** Parts in the schema's order; unknown ones are left out. */
function ordered({ version, form }: Schema, name: string, parts: Parts, attributes: Attributes = {}): string {
  const children = elementIn(version, form, name.toLowerCase())?.children ?? [];
  const content = children.flatMap(({ names }) => names.map((part) => ownMember(parts, part) ?? ''));
  return element(name, content.join(''), attributes);
}

function trackingEvents(tracking: InLineAd['tracking']): string {
  const events = quartileEvents.flatMap((event) => {
    const url = tracking?.[event];
    return url === undefined ? [] : [element('Tracking', xmlCdata(url), { event })];
  });
  return events.length === 0 ? '' : element('TrackingEvents', events.join(''));
}

function videoClicks(schema: Schema, clickThrough: string | undefined, tracking = ''): string {
  if (!clickThrough && tracking === '') return '';
  const through = clickThrough ? urls('ClickThrough', [clickThrough]) : '';
  return ordered(schema, 'VideoClicks', { ClickThrough: through, ClickTracking: tracking });
}

/** `HH:MM:SS`, below a day, as `xs:time` wants it. */
function timeOf(seconds: number): string {
  const whole = Math.min(Math.max(0, Math.round(seconds)), 86_399);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function mediaFile(file: MediaFile): string {
  const { delivery, type, width, height, bitrateKbps } = file;
  return element('MediaFile', xmlCdata(file.url), { delivery, type, bitrate: bitrateKbps, width, height });
}

function shared(schema: Schema, ad: InLineAd): Parts {
  const model = schema.version === '4.0' ? 'CPM' : 'cpm';
  return {
    AdSystem: element('AdSystem', xmlText(ad.adSystem)),
    Error: urls('Error', ad.error === undefined ? [] : [ad.error]),
    Impression: urls('Impression', ad.impressions),
    Pricing:
      ad.priceCpm === undefined ? '' : element('Pricing', String(ad.priceCpm), { model, currency: 'USD' }),
  };
}

function linear(schema: Schema, ad: InLineAd): string {
  return ordered(schema, 'Linear', {
    Duration: element('Duration', timeOf(ad.durationSeconds)),
    TrackingEvents: trackingEvents(ad.tracking),
    VideoClicks: videoClicks(schema, ad.clickThrough, urls('ClickTracking', ad.clickTracking)),
    MediaFiles: element('MediaFiles', ad.media.map(mediaFile).join('')),
  });
}

function inLine(schema: Schema, ad: InLineAd): string {
  const { registry, value } = ad.universalAdId ?? { registry: 'unknown', value: 'unknown' };
  const universal = element('UniversalAdId', xmlText(value), { idRegistry: registry, idValue: value });
  const creativeParts = { Linear: linear(schema, ad), UniversalAdId: universal };
  const creative = ordered(schema, 'Creative', creativeParts, { id: ad.creativeId || undefined });
  const categories = ad.categories ?? [];
  return ordered(schema, 'InLine', {
    ...shared(schema, ad),
    AdTitle: element('AdTitle', xmlText(ad.title)),
    Advertiser: ad.advertiser ? element('Advertiser', xmlText(ad.advertiser)) : '',
    Category: categories
      .map((name) => element('Category', xmlText(name), { authority: iabTaxonomy }))
      .join(''),
    Creatives: element('Creatives', creative),
  });
}

function document(version: OwnVersion, content: string): string {
  const xmlns = version === '4.0' ? vastNamespace : undefined;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('VAST', content, { version, xmlns })}`;
}

const empty: Readonly<Record<OwnVersion, string>> = {
  '3.0': document('3.0', ''),
  '4.0': document('4.0', ''),
};

/** Players then move on (VAST, "no ad response"). */
export function emptyVast(version: OwnVersion): string {
  return empty[version];
}

/** Well-formed whatever the values are. */
export function inLineVast(version: OwnVersion, ad: InLineAd): string {
  return document(
    version,
    element('Ad', inLine({ version, form: 'inline' }, ad), { id: ad.id || undefined }),
  );
}
