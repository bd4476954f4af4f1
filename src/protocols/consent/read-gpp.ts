import { numberAt, sextetBits, textLengthMax } from './bits.ts';
import { readTcf, readTcfCanada } from './read-tcf.ts';
import { readUsPrivacy } from './read-us-privacy.ts';
import type { TcfString } from './tcf-string.ts';
import { readUsSection, type UsChoices, usSectionIds } from './us-sections.ts';
import { fibonacciRanges } from './vendor-set.ts';

const wellFormed = /^[\w-]+(?:~[\w.-]+)*$/;
const headerType = 3;
const version = 1;
const idsAt = 12;
const idsEnd = 2 ** 16;

/** The section IDs in the order of the sections; undefined if there are not as many. */
function readSectionIds(header: string, sections: number): readonly number[] | undefined {
  const ranges = fibonacciRanges(header, idsAt, header.length * sextetBits);
  if (ranges === undefined) return undefined;
  const ids: number[] = [];
  for (const range of ranges.read()) {
    const last = range % idsEnd;
    for (let id = Math.floor(range / idsEnd); id <= last && ids.length <= sections; id += 1) ids.push(id);
  }
  return ids.length === sections ? ids : undefined;
}

/** The texts of a string's sections by their IDs. Undefined if it is no GPP string of version 1. */
export function readGpp(text: string): ReadonlyMap<number, string> | undefined {
  if (text.length > textLengthMax || !wellFormed.test(text)) return undefined;
  const [header = '', ...sections] = text.split('~');
  if (numberAt(header, 0, 6) !== headerType || numberAt(header, 6, 6) !== version) return undefined;
  const ids = readSectionIds(header, sections.length);
  return ids && new Map(ids.map((id, at) => [id, sections[at] ?? '']));
}

type Content =
  | { readonly kind: 'tcf'; readonly tcf: TcfString }
  | { readonly kind: 'choices'; readonly choices: UsChoices };

/** What a section says; `unknown` is one that this program cannot read. */
export type GppSection = { readonly id: number } & (
  | Content
  | { readonly kind: 'unreadable'; readonly fault: 'absent' | 'unknown' | 'broken' }
);

type SectionReader = (text: string) => Content | undefined;

const tcfReader =
  (read: (text: string) => TcfString | undefined): SectionReader =>
  (text) => {
    const tcf = read(text);
    return tcf && { kind: 'tcf', tcf };
  };
const choicesReader =
  (read: (text: string) => UsChoices | undefined): SectionReader =>
  (text) => {
    const choices = read(text);
    return choices && { kind: 'choices', choices };
  };

function usPrivacyChoices(text: string): UsChoices | undefined {
  const privacy = readUsPrivacy(text);
  return privacy && { optOuts: privacy.optsOut ? ['sale'] : [], hasKnownChild: false, hasGpc: false };
}

const readers: ReadonlyMap<number, SectionReader> = new Map([
  [2, tcfReader(readTcf)],
  [5, tcfReader(readTcfCanada)],
  [6, choicesReader(usPrivacyChoices)],
  ...usSectionIds.map((id) => [id, choicesReader((text) => readUsSection(id, text))] as const),
]);

function readSection(id: number, text: string | undefined): GppSection {
  const reader = readers.get(id);
  if (reader === undefined) return { id, kind: 'unreadable', fault: 'unknown' };
  if (text === undefined) return { id, kind: 'unreadable', fault: 'absent' };
  const content = reader(text);
  return content === undefined ? { id, kind: 'unreadable', fault: 'broken' } : { id, ...content };
}

/**
 * The sections that apply, which `gpp_sid` names; its -1 and 0 name none. Undefined if the string cannot be read.
 */
export function readGppSections(
  text: string,
  sectionIds: readonly number[],
): readonly GppSection[] | undefined {
  const sections = readGpp(text);
  return sections && sectionIds.filter((id) => id > 0).map((id) => readSection(id, sections.get(id)));
}
