import type { OutboundAnswer, OutboundRequest } from '../exchange/demand/demand-kind.ts';
import type { Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import type { SendMessage } from './message.ts';
import { signedHeaders } from './signature.ts';

const deadlineMs = 20_000;

type Refused = Exclude<Awaited<ReturnType<Fetcher['fetch']>>, OutboundAnswer>;

/** In words, by reason. */
const words: Readonly<Record<string, string>> = {
  private_address:
    'does not lead to a public address; BOURSE_ALLOW_PRIVATE_DEMAND=1 allows other addresses too',
  timed_out: `did not answer within ${deadlineMs / 1000} s`,
  unreachable: 'could not be reached',
  invalid_response: 'answered with invalid HTTP, or with too much',
  too_many_calls: 'has too many calls under way',
};

function toldOf(answer: OutboundAnswer | Refused): string {
  if ('reason' in answer) {
    const met = typeof answer.met === 'string' && answer.reason === 'unreachable' ? ` (${answer.met})` : '';
    return `the URL ${words[answer.reason] ?? 'cannot be called'}${met}`;
  }
  if (answer.status >= 200 && answer.status < 300) return '';
  const redirected = answer.status < 400 ? '; redirects are not followed' : '';
  return `the URL answered ${answer.status}${redirected}`;
}

/** Signed POSTs. `host`: part of their IDs, so that no two installations use the same. */
export function createWebhook({ fetch }: Pick<Fetcher, 'fetch'>, host: () => string): SendMessage {
  return async (target, { body, secrets }, { id, nowMs }) => {
    const signed = { id: `sending-${id}@${host()}`, timestamp: Math.floor(nowMs / 1000), body };
    const request: OutboundRequest = {
      method: 'POST',
      url: target,
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Bourse',
        ...signedHeaders(secrets, signed),
      },
    };
    return toldOf(await fetch(request, deadlineMs));
  };
}
