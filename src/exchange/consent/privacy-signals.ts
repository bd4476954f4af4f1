import { textLengthMax } from '../../protocols/consent/bits.ts';
import { type GppSection, readGppSections } from '../../protocols/consent/read-gpp.ts';
import { readTcf } from '../../protocols/consent/read-tcf.ts';
import { readUsPrivacy } from '../../protocols/consent/read-us-privacy.ts';
import type { TcfString } from '../../protocols/consent/tcf-string.ts';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { Opportunity, Privacy } from '../opportunity.ts';

/** What a viewer's signals say, whoever asks. */
export interface PrivacySignals {
  /** By which nobody may recognize the viewer, such as `lmt`. */
  readonly optOuts: readonly string[];
  /** Names of those that cannot be read; they count as opt-outs. */
  readonly unreadable: readonly string[];
  /** Something is permitted if all of them permit it. */
  readonly strings: readonly TcfString[];
  /** Whether a consent string is required and there is none that can be read: nothing is permitted. */
  readonly lacksConsent: boolean;
}

export const noSignals: PrivacySignals = { optOuts: [], unreadable: [], strings: [], lacksConsent: false };

/** GPP's sections with consent strings, of Europe and of Canada. */
const [europe, canada] = [2, 5];
/** Nobody knows which section applies. */
const unknownSection = 0;
const isOfConsent = (section: number) => section === europe || section === canada;
/** Of texts and what was read of them. */
const charactersMax = 2 ** 22;
const sizeOf = (text: string) => text.length + 500;
const keyLengthMax = 2 * textLengthMax;

type Choices = Extract<GppSection, { readonly kind: 'choices' }>['choices'];

function optOutOf({ optOuts, hasKnownChild, hasGpc }: Choices): string {
  const said = [...optOuts, ...(hasKnownChild ? ['known child'] : []), ...(hasGpc ? ['gpc'] : [])];
  return said.join(', ').replaceAll('_', ' ');
}

function gppSignals(text: string, sectionIds: readonly number[]): PrivacySignals {
  const sections = readGppSections(text, sectionIds);
  if (sections === undefined)
    return { ...noSignals, unreadable: ['gpp'], lacksConsent: sectionIds.some(isOfConsent) };
  return {
    optOuts: sections.flatMap((section) => {
      const said = section.kind === 'choices' ? optOutOf(section.choices) : '';
      return said === '' ? [] : [`gpp section ${section.id} (${said})`];
    }),
    unreadable: [
      ...(sectionIds.includes(unknownSection) ? ['gpp_sid'] : []),
      ...sections.flatMap(({ kind, id }) => (kind === 'unreadable' ? [`gpp section ${id}`] : [])),
    ],
    strings: sections.flatMap((section) => (section.kind === 'tcf' ? [section.tcf] : [])),
    lacksConsent: sections.some(({ kind, id }) => kind === 'unreadable' && isOfConsent(id)),
  };
}

function optOutsOf({ coppa, limitAdTracking, hasGpc, usPrivacy }: Privacy): string[] {
  return [
    ...(coppa === 1 ? ['coppa'] : []),
    ...(limitAdTracking === 1 ? ['lmt'] : []),
    ...(hasGpc ? ['gpc'] : []),
    ...(readUsPrivacy(usPrivacy)?.optsOut ? ['us_privacy'] : []),
  ];
}

const saysNothing = (privacy: Privacy) =>
  privacy.coppa !== 1 &&
  privacy.limitAdTracking !== 1 &&
  !privacy.hasGpc &&
  privacy.usPrivacy === '' &&
  privacy.gppSid.length === 0;

/** Nothing is said. */
export const noPrivacy: Privacy = {
  coppa: undefined,
  gdpr: undefined,
  consent: '',
  limitAdTracking: undefined,
  usPrivacy: '',
  gpp: '',
  gppSid: [],
  hasGpc: false,
};

/** By texts; bounded. Longer ones cannot be read, and would push out others. */
function keptReadings<Reading extends object>(read: (text: string) => Reading) {
  const readings = createRecentCache<string, Reading>(charactersMax, sizeOf);
  return (text: string): Reading => {
    if (text.length > keyLengthMax) return read(text);
    const known = readings.get(text);
    if (known) return known;
    // Not a part of a URL, which what was read would keep in memory.
    const copy = Buffer.from(text).toString();
    const reading = read(copy);
    readings.set(copy, reading);
    return reading;
  };
}

/** Of sections and the string that has them. */
function readKey(key: string): PrivacySignals {
  const end = key.indexOf(' ');
  return gppSignals(key.slice(end + 1), [...new Set(key.slice(0, end).split(',').map(Number))]);
}

/** Keeps what recent strings said: players and pages send the same one with each request. */
export function createSignalsReader() {
  const keptString = keptReadings((text) => ({ tcf: readTcf(text) }));
  const keptSections = keptReadings(readKey);
  const consentIn = (text: string): TcfString | undefined => (text === '' ? undefined : keptString(text).tcf);
  const gppIn = ({ gpp, gppSid }: Privacy): PrivacySignals =>
    gppSid.length === 0 ? noSignals : keptSections(`${gppSid.join()} ${gpp}`);
  /** GDPR applies to viewers in these countries, unless a signal says otherwise. */
  return (
    { privacy = noPrivacy, country }: Pick<Opportunity, 'privacy' | 'country'>,
    countries: ReadonlySet<string>,
  ): PrivacySignals => {
    const { gdpr, gppSid, usPrivacy } = privacy;
    const isImplied = gdpr === undefined && gppSid.length === 0 && countries.has(country);
    if (gdpr !== 1 && !isImplied && saysNothing(privacy)) return noSignals;
    const gpp = gppIn(privacy);
    const isBroken = usPrivacy !== '' && readUsPrivacy(usPrivacy) === undefined;
    const signals = {
      optOuts: [...optOutsOf(privacy), ...gpp.optOuts],
      unreadable: isBroken ? ['us_privacy', ...gpp.unreadable] : gpp.unreadable,
      strings: gpp.strings,
      lacksConsent: gpp.lacksConsent,
    };
    if ((gdpr !== 1 && !isImplied) || gppSid.includes(europe)) return signals;
    const consent = consentIn(privacy.consent);
    return consent
      ? { ...signals, strings: [...gpp.strings, consent] }
      : { ...signals, unreadable: [...signals.unreadable, 'consent'], lacksConsent: true };
  };
}
