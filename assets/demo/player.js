import { client, play, playable } from './vast-player.js';

/** Element of the page, by its ID. */
const at = (id) => document.getElementById(id);
const video = at('video');
const statisticsMs = 2000;

/** What events of VAST mean; others speak for themselves. */
const meanings = {
  ad: 'The ad has come',
  'no ad': 'No ad has come',
  creativeView: 'The ad is in sight',
  impression: 'Impression: this one is billed',
  start: 'The film begins',
  firstQuartile: 'A quarter was watched',
  midpoint: 'Half was watched',
  thirdQuartile: 'Three quarters were watched',
  complete: 'Watched to the end',
  click: 'A click leads to',
  error: 'The film cannot be played: VAST error',
};

let tags = [];
/** Ends what is playing. */
let playing = new AbortController();

const element = (name, text, className = '') =>
  Object.assign(document.createElement(name), { textContent: text, className });

function log(event, detail = '') {
  const row = element('li');
  row.dataset.event = event;
  const time = element('time', new Date().toISOString().slice(11, 23));
  row.append(time, ` ${meanings[event] ?? event} ${detail}`);
  at('log').append(row);
}

function say(text) {
  at('status').textContent = text;
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
    width: 640,
    height: 360,
    linearity: 1,
    lang: navigator.language,
    cb: crypto.getRandomValues(new Uint32Array(1))[0],
  };
  const filled = template.replaceAll(/&\w+=\{(\w+)\}/g, (parameter, name) =>
    name in values ? parameter.replace(`{${name}}`, encodeURIComponent(values[name])) : '',
  );
  return new URL(here(filled), location.href).href;
}

function onEvent(event, detail) {
  log(event, detail);
  if (event === 'error') say('The film of the ad cannot be played.');
  if (event === 'complete') {
    playing.abort();
    say('The ad was watched to its end.');
  }
}

function show(found) {
  const { ad, creative } = found;
  const title = ad.title ?? 'an ad';
  log('ad', `“${title}”, ${creative.duration} s`);
  say(`Playing “${title}”. Click the film to visit the advertiser.`);
  play(video, found, { onEvent, signal: playing.signal }).catch((error) =>
    say(`The browser will not play: ${error.message}`),
  );
}

/** As "country not targeted" for `country_not_targeted`. */
const words = (code) => code.replaceAll('_', ' ');
const money = (cpm) => (cpm === null ? '' : `$${cpm.toFixed(2)}`);

function outcomeText({ Outcome, Field, Candidates }) {
  const winner = Candidates.find((candidate) => candidate.Outcome === 'won');
  if (winner) return `${winner.Name} won, at ${money(winner.Price)} per 1,000 impressions.`;
  return `No ad: ${words(Outcome)}${Field ? ` (${Field})` : ''}.`;
}

function candidateRow({ Entity, Id, Name, Outcome, Rule, Refusals, Price }) {
  const line = element('tr');
  const subject = element('th', Name);
  subject.scope = 'row';
  subject.append(element('small', `${Entity} ${Id}`));
  const outcome = element('td');
  outcome.append(element('span', words(Outcome), `badge ${Outcome}`));
  const why = element('td', words(Rule));
  const help = Refusals.find((refusal) => refusal.Rule === Rule)?.Help ?? '';
  if (help) why.append(element('small', help.replaceAll('`', '')));
  const price = element('td', money(Price), 'figure');
  for (const [cell, label] of [
    [outcome, 'Outcome'],
    [why, 'Why not'],
    [price, 'CPM'],
  ])
    cell.dataset.label = label;
  line.append(subject, outcome, why, price);
  return line;
}

/** Why there is an ad, or none: the newest auction of the tag. */
async function showAuction({ id }) {
  const [auction] = await (await fetch(`auctions?tag=${id}`)).json();
  if (!auction) return;
  at('outcome').textContent = outcomeText(auction);
  at('candidates').replaceChildren(...auction.Candidates.map(candidateRow));
  at('auction').hidden = auction.Candidates.length === 0;
}

/** As "Net impressions" for `NetImpressions`. */
const titleOf = (name) =>
  name === 'DateStats'
    ? 'Day (UTC)'
    : name.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

async function showStatistics() {
  const tag = chosen();
  if (!tag || document.hidden) return;
  const [counted] = await (await fetch(`statistics?tag=${tag.id}`)).json();
  const figures = Object.entries(counted ?? {}).map(([name, value]) => {
    const pair = element('div');
    const isRate = name.endsWith('Rate');
    pair.append(element('dt', titleOf(name)), element('dd', isRate ? `${value} %` : value));
    return pair;
  });
  at('figures').replaceChildren(...figures);
  at('uncounted').hidden = figures.length > 0;
}

async function ask(tag) {
  playing.abort();
  playing = new AbortController();
  video.removeAttribute('src');
  video.load();
  at('log').replaceChildren();
  const url = zoneUrl(tag);
  at('url').textContent = url;
  say('Asking for an ad…');
  const { ads } = await client.get(url);
  const found = playable(video, ads);
  if (found) show(found);
  else {
    say(ads.length === 0 ? 'No ad: step 2 says why.' : 'An ad came, but none that can be played.');
    log('no ad');
  }
  await showAuction(tag);
}

function choose() {
  const tag = chosen();
  if (!tag) return;
  for (const [id, text] of [
    ['auctions', `api/exchange/auctions?VastTag=${tag.id}`],
    ['report', `api/ortb/vasttag/get?Id=${tag.id}`],
  ]) {
    at(id).textContent = `/${text}`;
    at(id).href = `../${text}`;
  }
  at('why').href = `../console/VastTag/${tag.id}/why`;
  at('connections').href = `../console/VastTag/${tag.id}/connections`;
  showStatistics().catch(() => undefined);
}

at('tag').addEventListener('change', choose);
at('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  const tag = chosen();
  if (tag) ask(tag).catch((error) => say(`No ad: ${error.message}`));
});

tags = await (await fetch('tags')).json();
at('tag').replaceChildren(...tags.map(({ id, name }) => new Option(name, id)));
choose();
setInterval(() => showStatistics().catch(() => undefined), statisticsMs);
