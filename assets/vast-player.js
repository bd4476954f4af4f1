import { VASTClient, VASTTracker } from './vast-client.js';

/** VAST, "Error Codes": no linear media file fits; one cannot be displayed. */
export const noMedia = '403';
const notPlayed = '405';

const trackerEvents = ['creativeView', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

/** Follows wrappers, and calls trackers. */
export const client = new VASTClient();

/** The first linear creative of the first ad that has one which the video element can play. */
export function playable(video, ads) {
  for (const ad of ads) {
    for (const creative of ad.creatives) {
      const file = (creative.mediaFiles ?? []).find(
        ({ mimeType }) => video.canPlayType(mimeType ?? '') !== '',
      );
      if (file) return { ad, creative, file };
    }
  }
  return undefined;
}

/**
 * Plays what `playable` has found, and calls its trackers as it goes on. `onEvent` hears VAST's names of events, `click`
 * with the address and `error` with the code; `signal` ends it. Rejects where the browser does not play.
 */
export function play(video, { ad, creative, file }, { onEvent = () => undefined, signal } = {}) {
  const tracker = new VASTTracker(client, ad, creative);
  for (const event of trackerEvents) tracker.on(event, () => onEvent(event));
  tracker.on('clickthrough', (url) => {
    onEvent('click', url);
    window.open(url, '_blank', 'noopener');
  });
  const on = (name, react, once = false) => video.addEventListener(name, react, { signal, once });
  on(
    'playing',
    () => {
      tracker.trackImpression();
      onEvent('impression');
    },
    true,
  );
  on('timeupdate', () => tracker.setProgress(video.currentTime));
  on('ended', () => tracker.complete());
  on('error', () => {
    tracker.errorWithCode(notPlayed);
    onEvent('error', notPlayed);
  });
  on('click', () => tracker.click());
  video.src = file.fileURL;
  return video.play();
}
