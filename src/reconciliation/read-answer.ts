import type { Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import { refusalInWords } from '../exchange/demand/outbound/refusal-words.ts';
import { isBinary } from '../protocols/partnerstats/is-binary.ts';
import { type ReportedDay, readPartnerStats } from '../protocols/partnerstats/read-partner-stats.ts';

export const deadlineMs = 30_000;

export type ReadAnswer =
  | { readonly state: 'read'; readonly days: readonly ReportedDay[]; readonly rows: number }
  | { readonly state: 'failed' | 'unreadable'; readonly error: string; readonly sample: string };

const sampleCharactersMax = 300;
const errorCharactersMax = 500;

/** Invisible, or changing how others are shown; line ends stay. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Invisible characters become codes. */
const shown = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(unseen, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** `""` if it is no text. */
const sampleOf = (text: string) => (isBinary(text) ? '' : shown(text.slice(0, sampleCharactersMax)));

/** `fragment`: behind `#` in its URL; `dayAt`: the partner's days. */
export function readAnswer(
  answer: Awaited<ReturnType<Fetcher['fetch']>>,
  fragment: string,
  dayAt: (ms: number) => number,
): ReadAnswer {
  if ('reason' in answer) {
    return { state: 'failed', error: refusalInWords(answer, deadlineMs), sample: '' };
  }
  const { status, body } = answer;
  if (status !== 200) {
    return { state: 'failed', error: `the URL answered with ${status}`, sample: sampleOf(body) };
  }
  const read = readPartnerStats(body, fragment, dayAt);
  if (!('fault' in read)) return { state: 'read', ...read };
  return {
    state: 'unreadable',
    error: shown(read.fault.slice(0, errorCharactersMax)),
    sample: sampleOf(body),
  };
}
