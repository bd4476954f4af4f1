import { VASTClient } from '@dailymotion/vast-client';

interface PlayedCreative {
  readonly type: string;
  readonly duration: number;
  readonly mediaFiles: readonly { readonly fileURL: string; readonly mimeType: string }[];
  readonly videoClickThroughURLTemplate: { readonly url: string } | null;
  readonly videoClickTrackingURLTemplates: readonly { readonly url: string }[];
  readonly trackingEvents: Readonly<Record<string, readonly string[]>>;
}

interface PlayedAd {
  readonly title: string | null;
  readonly sequence: string | null;
  readonly errorURLTemplates: readonly string[];
  readonly impressionURLTemplates: readonly { readonly url: string }[];
  readonly creatives: readonly PlayedCreative[];
}

/** What a player calls for an ad. */
export interface Calls {
  readonly errors: readonly string[];
  readonly impressions: readonly string[];
  readonly clicks: readonly string[];
  readonly starts: readonly string[];
  readonly destinations: readonly string[];
  readonly media: readonly string[];
}

/** A document as a URL that a player can fetch. */
export function dataUrl(xml: string): string {
  return `data:application/xml,${encodeURIComponent(xml)}`;
}

function callsOf(ad: PlayedAd): Calls {
  const linear = ad.creatives.filter(({ type }) => type === 'linear');
  return {
    errors: ad.errorURLTemplates,
    impressions: ad.impressionURLTemplates.map(({ url }) => url),
    clicks: linear.flatMap((creative) => creative.videoClickTrackingURLTemplates.map(({ url }) => url)),
    starts: linear.flatMap(({ trackingEvents }) => trackingEvents.start ?? []),
    destinations: linear.flatMap((creative) => creative.videoClickThroughURLTemplate?.url ?? []),
    media: linear.flatMap(({ mediaFiles }) => mediaFiles.map(({ fileURL }) => fileURL)),
  };
}

/** What a player would do with each ad of a document, wrappers followed, in the order in which it takes them. */
export async function played(xml: string): Promise<Calls[]> {
  const client = new VASTClient();
  const { ads } = await client.get(dataUrl(xml), { resolveAll: true });
  return ads.map(callsOf);
}

/** The ads in the order of a player that plays one and takes the next when that fails. */
export async function playedInTurn(xml: string): Promise<Calls[]> {
  const client = new VASTClient();
  const first = await client.get(dataUrl(xml));
  const turns: Calls[] = first.ads.map(callsOf);
  while (client.hasRemainingAds()) {
    const { ads } = await client.getNextAds(false);
    turns.push(...ads.map(callsOf));
  }
  return turns;
}
