import { VASTClient, VASTTracker } from './vast-client.js';

/** Element of the page, by its ID. */
const at = (id) => document.getElementById(id);
const video = at('video');
const client = new VASTClient();
const trackerEvents = ['creativeView', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const statisticsMs = 2000;

/** What is playing; undefined between ads. */
let playing;
let tags = [];

function log(event, detail = '') {
  const row = document.createElement('li');
  row.dataset.event = event;
  row.textContent = `${new Date().toISOString().slice(11, 23)} ${event} ${detail}`;
  at('log').append(row);
}

function say(text) {
  at('status').textContent = text;
}

function row(cells, tag = 'td') {
  const line = document.createElement('tr');
  for (const text of cells) {
    const cell = document.createElement(tag);
    cell.textContent = text;
    line.append(cell);
  }
  return line;
}

/** The same path on the host that this page came from. */
function here(url) {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const chosen = () => tags.find(({ id }) => String(id) === at('tag').value);

/** A tag's zone URL with the macros that this player can fill; the others are left out. */
function zoneUrl({ zoneUrl: template }) {
  const values = {
    width: video.width,
    height: video.height,
    linearity: 1,
    lang: navigator.language,
    cb: crypto.getRandomValues(new Uint32Array(1))[0],
  };
  const filled = template.replaceAll(/&\w+=\{(\w+)\}/g, (parameter, name) =>
    name in values ? parameter.replace(`{${name}}`, encodeURIComponent(values[name])) : '',
  );
  return new URL(here(filled), location.href).href;
}

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

function track(ad, creative) {
  const tracker = new VASTTracker(client, ad, creative);
  for (const event of trackerEvents) tracker.on(event, () => log(event));
  tracker.on('clickthrough', (url) => {
    log('click', url);
    window.open(url, '_blank', 'noopener');
  });
  return tracker;
}

function start({ ad, creative, file }) {
  playing = { tracker: track(ad, creative), hasImpression: false };
  log('ad', `${ad.title ?? ''} (${creative.duration} s)`);
  video.src = file.fileURL;
  say(`Playing "${ad.title ?? 'an ad'}".`);
  video.play().catch((error) => say(`The browser will not play: ${error.message}`));
}

/** Why there is an ad, or none: the newest auction of the tag. */
async function showAuction({ id }) {
  const [auction] = await (await fetch(`auctions?tag=${id}`)).json();
  if (!auction) return;
  const { Outcome, Field, Candidates } = auction;
  at('outcome').textContent = `Outcome: ${Outcome}${Field ? ` (${Field})` : ''}`;
  const lines = Candidates.map((candidate) =>
    row([
      `${candidate.Entity} ${candidate.Id}: ${candidate.Name}`,
      candidate.Outcome,
      [candidate.Rule, candidate.Field].filter(Boolean).join(', '),
      candidate.Price ?? '',
    ]),
  );
  at('candidates').replaceChildren(...lines);
}

async function showStatistics() {
  const tag = chosen();
  if (!tag || document.hidden) return;
  const rows = await (await fetch(`statistics?tag=${tag.id}`)).json();
  at('columns').replaceChildren(row(Object.keys(rows[0] ?? { DateStats: '' }), 'th'));
  at('rows').replaceChildren(...rows.map((counted) => row(Object.values(counted))));
}

async function play(tag) {
  playing = undefined;
  at('log').replaceChildren();
  const url = zoneUrl(tag);
  at('url').textContent = url;
  say('Asking for an ad…');
  const { ads } = await client.get(url);
  const found = playable(ads);
  if (found) start(found);
  else
    say(
      ads.length === 0 ? 'No ad: the auction below tells why.' : 'An ad came, but none that can be played.',
    );
  if (!found) log('no ad');
  await showAuction(tag);
}

function choose() {
  const tag = chosen();
  if (!tag) return;
  at('auctions').textContent = `/api/exchange/auctions?VastTag=${tag.id}`;
  at('auctions').href = `../api/exchange/auctions?VastTag=${tag.id}`;
  at('report').textContent = `/api/ortb/vasttag/get?Id=${tag.id}`;
  at('report').href = `../api/ortb/vasttag/get?Id=${tag.id}`;
  showStatistics().catch(() => undefined);
}

video.addEventListener('playing', () => {
  if (!playing || playing.hasImpression) return;
  playing.hasImpression = true;
  playing.tracker.trackImpression();
  log('impression');
});
video.addEventListener('timeupdate', () => playing?.tracker.setProgress(video.currentTime));
video.addEventListener('ended', () => {
  playing?.tracker.complete();
  playing = undefined;
  say('The ad has been watched.');
});
video.addEventListener('error', () => {
  if (!playing) return;
  // VAST, "Error Codes": the media file could not be displayed.
  playing.tracker.errorWithCode('405');
  log('error', '405');
  say('The film of the ad cannot be played.');
});
video.addEventListener('click', () => playing?.tracker.click());
at('tag').addEventListener('change', choose);
at('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  const tag = chosen();
  if (tag) play(tag).catch((error) => say(`No ad: ${error.message}`));
});

tags = await (await fetch('tags')).json();
at('tag').replaceChildren(...tags.map(({ id, name }) => new Option(name, id)));
choose();
setInterval(() => showStatistics().catch(() => undefined), statisticsMs);
