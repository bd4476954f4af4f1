import { TCString } from '@iabtechlabtcf/core';
import { defaultTeamSettings } from '../src/entities/team-settings.ts';
import { noPrivacy } from '../src/exchange/consent/privacy-signals.ts';
import { type ConsentReader, createConsentReader } from '../src/exchange/consent/viewer-consent.ts';
import { teamOf } from '../src/exchange/team.ts';
import { readGppSections } from '../src/protocols/consent/read-gpp.ts';
import { readTcf } from '../src/protocols/consent/read-tcf.ts';

/**
 * What consent costs an auction: `npm run bench:consent`. As auctions do, it asks what ten partners may
 * do and be told, of strings that were seen before and of those that were not. It needs neither a server nor a
 * quiet machine: the best of some rounds counts.
 */
const rounds = 20;
/** As many as are kept. */
const strings = 1000;
const vendors = [52, 76, 128, 253, 333, 511, 612, 755, 793, 1020];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const encode = (bits: string) =>
  (bits.match(/.{1,6}/g) ?? []).map((six) => alphabet[Number.parseInt(six.padEnd(6, '0'), 2)]).join('');
const number = (value: number, width: number) => value.toString(2).padStart(width, '0');

/** Bit fields of as many vendors as the list has, or ranges where few are named. */
const field = (named: (vendor: number) => boolean) =>
  `${number(1400, 16)}0${Array.from({ length: 1400 }, (_, at) => Number(named(at + 1))).join('')}`;
const ranges = (count: number) =>
  number(count, 12) +
  Array.from({ length: count }, (_, at) => `1${number(at * 20 + 1, 16)}${number(at * 20 + 9, 16)}`).join('');
const restriction = (purpose: number) => number(purpose, 6) + number(1, 2) + ranges(12);

/** Each another text, as of another day and screen. */
function stringOf(at: number, vendorsText: string): string {
  const day = number(17_300_000_000 + at * 864_000, 36);
  const fixed = `000010${day}${day}${number(300, 12)}${number(2, 12)}000001${number(133, 12)}${number(90, 12)}000101`;
  const purposes = '1'.repeat(11).padEnd(24, '0');
  const core = `${fixed}10100000000000${purposes}${purposes}0${number(133, 12)}${vendorsText}`;
  const restrictions = number(3, 12) + [2, 7, 9].map(restriction).join('');
  return `${encode(core + restrictions)}.${encode(`001${field(() => true)}`)}`;
}

const byField = field((vendor) => vendor % 3 !== 0);
const byRanges = `${number(1209, 16)}1${ranges(60)}`;
const kinds: readonly (readonly [name: string, vendorsText: string])[] = [
  ['bit fields', byField + byField],
  ['ranges', byRanges + byRanges],
];

const settings = teamOf(defaultTeamSettings).consent;

/** What an auction asks of a request, and of each of its partners. */
function ask(consent: ConsentReader, text: string): void {
  const privacy = { ...noPrivacy, gdpr: 1 as const, consent: text };
  const viewer = consent.of({ privacy, country: 'DE' }, settings, false);
  if (viewer.state === 'unreadable') throw new Error('the string cannot be read');
  for (const vendor of vendors) viewer.withheldFrom(vendor);
}

const newReader = () => createConsentReader({ of: () => undefined });

/** Microseconds of processor time for each call, at best. */
function bestMicroseconds(calls: number, work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / calls;
  });
  return Math.min(...times);
}

/** A text as a request brings it: V8 has not hashed it yet. */
const asReceived = (texts: readonly string[]): readonly string[] => JSON.parse(JSON.stringify(texts));

for (const [name, vendorsText] of kinds) {
  const texts = Array.from({ length: strings }, (_, at) => stringOf(at, vendorsText));
  const characters = texts[0]?.length ?? 0;
  const read = bestMicroseconds(strings, () => {
    for (const text of texts) readTcf(text);
  });
  const unseen = bestMicroseconds(strings, () => {
    const consent = newReader();
    for (const text of asReceived(texts)) ask(consent, text);
  });
  const consent = newReader();
  const seen = bestMicroseconds(strings, () => {
    for (const text of asReceived(texts)) ask(consent, text);
  });
  const parsing = bestMicroseconds(strings, () => void asReceived(texts));
  const official = bestMicroseconds(100, () => {
    for (const text of texts.slice(0, 100)) TCString.decode(text);
  });
  const [few, more] = [seen - parsing, unseen - parsing].map((micros) => micros.toFixed(2));
  console.log(
    `${name}, ${characters} characters: ${few} µs for ten vendors if the string was seen before (at most 3), ${more} µs if not (at most 15); reading alone ${read.toFixed(2)} µs, by the official library ${official.toFixed(0)} µs`,
  );
}

const gpp = 'DBABLA~CAARAAAAAABA.YA';
const gppMicros = bestMicroseconds(10_000, () => {
  for (let done = 0; done < 10_000; done += 1) readGppSections(gpp, [7]);
});
console.log(`a GPP string with one state: ${gppMicros.toFixed(2)} µs`);
