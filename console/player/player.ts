import { VASTClient } from '@dailymotion/vast-client';
import { hasMembers } from '../api/values.ts';
import type { PlayerNews, ShowAd } from './messages.ts';

/**
 * Plays a test ad in a frame of opaque origin, which can reach nothing of the console. It fires no tracker: it tells
 * which ones a player would have fired.
 */
const stage = document.getElementById('stage');
const state = document.getElementById('state');

const tell = (news: PlayerNews) => window.parent.postMessage(news, '*');
const say = (text: string) => {
  if (state) state.textContent = text;
};
const fail = (reason: string) => {
  say(reason);
  tell({ kind: 'failed', reason });
};

const wrappersMax = 5;
const quartiles = [
  ['firstQuartile', 0.25],
  ['midpoint', 0.5],
  ['thirdQuartile', 0.75],
] as const;

interface MediaFile {
  readonly fileURL: string | null;
  readonly mimeType: string | null;
  readonly width: number;
  readonly height: number;
}

interface Creative {
  readonly type: string;
  readonly mediaFiles?: readonly MediaFile[];
  readonly trackingEvents: Readonly<Record<string, readonly string[]>>;
  readonly videoClickTrackingURLTemplates?: readonly unknown[];
}

interface Ad {
  readonly creatives: readonly Creative[];
  readonly impressionURLTemplates: readonly unknown[];
}

async function adOf(markup: string): Promise<Ad | undefined> {
  const document = new DOMParser().parseFromString(markup, 'text/xml');
  const { ads }: { readonly ads: readonly Ad[] } = await new VASTClient(0, 0).parseVAST(document, {
    wrapperLimit: wrappersMax,
  });
  return ads[0];
}

const textsOf = (urls: readonly unknown[]) =>
  urls.map((url) => (typeof url === 'string' ? url : String((hasMembers(url) && url.url) || '')));

function play(creative: Creative, impressions: readonly string[]): void {
  const files = (creative.mediaFiles ?? []).filter(({ fileURL }) => fileURL);
  const playable =
    files.find(({ mimeType }) => document.createElement('video').canPlayType(mimeType ?? '')) ?? files[0];
  if (!playable?.fileURL) {
    fail('The ad has no media file that a browser can play.');
    return;
  }
  const video = document.createElement('video');
  video.controls = true;
  video.muted = true;
  video.autoplay = true;
  video.playsInline = true;
  video.src = playable.fileURL;
  const trackers = creative.trackingEvents;
  const told = new Set<string>();
  const event = (name: string, urls: readonly string[] = trackers[name] ?? []) => {
    if (told.has(name)) return;
    told.add(name);
    tell({ kind: 'event', event: name, urls: [...urls] });
  };
  video.addEventListener('playing', () => {
    say(`Plays ${playable.mimeType ?? 'a video'}, ${playable.width}×${playable.height}.`);
    event('impression', impressions);
    event('creativeView');
    event('start');
  });
  video.addEventListener('timeupdate', () => {
    for (const [name, share] of quartiles) {
      if (video.duration > 0 && video.currentTime >= share * video.duration) event(name);
    }
  });
  video.addEventListener('pause', () => !video.ended && event('pause'));
  video.addEventListener('ended', () => {
    event('complete');
    say('Played to the end.');
  });
  video.addEventListener('click', () =>
    event('clickThrough', textsOf(creative.videoClickTrackingURLTemplates ?? [])),
  );
  video.addEventListener('error', () => fail('The media file could not be played.'));
  stage?.replaceChildren(video);
}

async function showVast(markup: string): Promise<void> {
  const ad = await adOf(markup);
  const creative = ad?.creatives.find(({ type }) => type === 'linear');
  if (ad && creative) play(creative, textsOf(ad.impressionURLTemplates));
  else fail('It contains no linear ad.');
}

function showHtml(markup: string): void {
  const frame = document.createElement('iframe');
  frame.title = 'The ad';
  frame.sandbox.add('allow-scripts', 'allow-popups');
  frame.srcdoc = markup;
  frame.addEventListener('load', () => {
    say('Shown.');
    tell({ kind: 'event', event: 'load', urls: [] });
  });
  stage?.replaceChildren(frame);
}

window.addEventListener('message', ({ source, data }: MessageEvent<ShowAd>) => {
  if (source !== window.parent || data.kind !== 'show') return;
  if (data.medium === 'html') return showHtml(data.markup);
  showVast(data.markup).catch((error: unknown) =>
    fail(error instanceof Error ? error.message : String(error)),
  );
});
tell({ kind: 'ready' });
