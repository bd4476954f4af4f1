import type { Refusal } from '../../reasons.ts';

/** By reason. */
const words: Readonly<Record<string, string>> = {
  private_address:
    'does not lead to a public address; BOURSE_ALLOW_PRIVATE_DEMAND=1 allows other addresses too',
  unreachable: 'could not be reached',
  invalid_response: 'answered with invalid HTTP, or with too much',
  too_many_calls: 'has too many calls under way',
};

/** Why a fetch has no answer, for whoever set the URL. */
export const refusalInWords = ({ reason }: Pick<Refusal, 'reason'>, deadlineMs: number): string =>
  `the URL ${reason === 'timed_out' ? `did not answer within ${deadlineMs / 1000} s` : (words[reason] ?? 'cannot be called')}`;
