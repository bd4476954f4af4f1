import type { OutboundRequest } from '../exchange/demand/demand-kind.ts';
import type { Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import { headersOfLines } from '../exchange/demand/outbound/header-lines.ts';
import { refusalInWords } from '../exchange/demand/outbound/refusal-words.ts';
import type { Message, SendMessage } from '../shared/message.ts';
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

const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Bourse' };

/** Signed POSTs, or with a message's own credentials. `host`: part of their IDs, so that no two installations use the same. */
export function createWebhook({ fetch }: Pick<Fetcher, 'fetch'>, host: () => string): SendMessage {
  const requestFor = (
    target: string,
    { body, secrets, call }: Message,
    { id, nowMs }: Parameters<SendMessage>[2],
  ): OutboundRequest => {
    const post = { method: 'POST', url: target, body, headers } as const;
    if (call) return { ...post, url: call.url, headers: { ...headers, ...headersOfLines(call.headers) } };
    const signed = { id: `sending-${id}@${host()}`, timestamp: Math.floor(nowMs / 1000), body };
    return { ...post, headers: { ...headers, ...signedHeaders(secrets, signed) } };
  };
  return async (target, message, sending) => {
    const answer = await fetch(requestFor(target, message, sending), deadlineMs);
    const error = toldOf(answer);
    const isRead = error === '' && message.call && 'body' in answer;
    return isRead ? message.call.readAnswer(answer.body) : { error };
  };
}
