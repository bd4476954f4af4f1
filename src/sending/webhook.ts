import type { OutboundRequest } from '../exchange/demand/demand-kind.ts';
import type { Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import { refusalInWords } from '../exchange/demand/outbound/refusal-words.ts';
import type { SendMessage } from './message.ts';
import { signedHeaders } from './signature.ts';

const deadlineMs = 20_000;

function toldOf(answer: Awaited<ReturnType<Fetcher['fetch']>>): string {
  if ('reason' in answer) {
    const met = typeof answer.met === 'string' && answer.reason === 'unreachable' ? ` (${answer.met})` : '';
    return `${refusalInWords(answer, deadlineMs)}${met}`;
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
