import { VASTClient, VASTTracker } from './vast-client.js';

/** VAST, "Error Codes": no linear media file fits; one cannot be displayed. */
const [noMedia, notPlayed] = ['403', '405'];

const video = document.querySelector('video');
const client = new VASTClient();

/** The first linear creative of the first ad that has one we can play. */
function playable(ads) {
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

function play({ ad, creative, file }) {
  const tracker = new VASTTracker(client, ad, creative);
  tracker.on('clickthrough', (url) => window.open(url, '_blank', 'noopener'));
  video.addEventListener('playing', () => tracker.trackImpression(), { once: true });
  video.addEventListener('timeupdate', () => tracker.setProgress(video.currentTime));
  video.addEventListener('ended', () => tracker.complete());
  video.addEventListener('error', () => tracker.errorWithCode(notPlayed));
  video.addEventListener('click', () => tracker.click());
  video.src = file.fileURL;
  video.play().catch(() => undefined);
}

const text = JSON.parse(document.getElementById('vast').textContent);
const { ads } = await client.parseVAST(new DOMParser().parseFromString(text, 'text/xml'));
const found = playable(ads);
if (found) play(found);
else
  for (const { errorURLTemplates } of ads) {
    for (const url of errorURLTemplates) new Image().src = url.replace('[ERRORCODE]', noMedia);
  }
