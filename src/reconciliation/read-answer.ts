import type { OutboundAnswer } from '../exchange/demand/demand-kind.ts';
import type { Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import { isBinary } from '../protocols/partnerstats/is-binary.ts';
import { type ReportedDay, readPartnerStats } from '../protocols/partnerstats/read-partner-stats.ts';

/** How long a partner may take. */
export const deadlineMs = 30_000;

type Refused = Exclude<Awaited<ReturnType<Fetcher['fetch']>>, OutboundAnswer>;

/** What an answer says, or why it says nothing. */
export type ReadAnswer =
  | { readonly state: 'read'; readonly days: readonly ReportedDay[]; readonly rows: number }
  | { readonly state: 'failed' | 'unreadable'; readonly error: string; readonly sample: string };

const sampleCharactersMax = 300;
const errorCharactersMax = 500;

/** Why a call failed, in words, by its reason. */
const words: Readonly<Record<string, string>> = {
  private_address: 'leads to no public address; BOURSE_ALLOW_PRIVATE_DEMAND=1 allows others, too',
  timed_out: `did not answer within ${deadlineMs / 1000} s`,
  unreachable: 'could not be reached',
  invalid_response: 'answered what is no valid HTTP, or too much',
  too_many_calls: 'has too many calls under way',
};

/** Characters that show nothing, or change how those around them are shown; ends of lines stay. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text in which each character that shows nothing stands as its code. */
const shown = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(unseen, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** The beginning of a text; nothing of what is none. */
const sampleOf = (text: string) => (isBinary(text) ? '' : shown(text.slice(0, sampleCharactersMax)));

/** What the answer to a fetch says; `fragment` is what stands behind `#` in its URL, and `dayAt` the partner's days. */
export function readAnswer(
  answer: OutboundAnswer | Refused,
  fragment: string,
  dayAt: (ms: number) => number,
): ReadAnswer {
  if ('reason' in answer) {
    const error = `the URL ${words[answer.reason] ?? 'cannot be called'}`;
    return { state: 'failed', error, sample: '' };
  }
  const { status, body } = answer;
  if (status !== 200) {
    return { state: 'failed', error: `the URL answered ${status}`, sample: sampleOf(body) };
  }
  const read = readPartnerStats(body, fragment, dayAt);
  if (!('fault' in read)) return { state: 'read', ...read };
  return {
    state: 'unreadable',
    error: shown(read.fault.slice(0, errorCharactersMax)),
    sample: sampleOf(body),
  };
}
