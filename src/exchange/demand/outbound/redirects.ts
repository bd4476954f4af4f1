import { type Refusal, refuse } from '../../reasons.ts';
import type { OutboundAnswer, OutboundRequest, Redirect } from '../demand-kind.ts';
import { createTargets, type Target, targetOf } from './target.ts';

export type SendRequest = (
  target: Target,
  request: OutboundRequest,
  deadlineMs: number,
  mayRepeat?: () => boolean,
) => Promise<OutboundAnswer | Refusal>;

const redirectsMax = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

const areFew = ({ count }: Redirect) => count <= redirectsMax;

export const isRedirect = (status: number) => redirects.has(status);

function requestAt(target: Target, first: Target, request: OutboundRequest): OutboundRequest {
  const { secretHeaders } = request;
  if (secretHeaders === undefined || target.origin !== first.origin) return request;
  return { ...request, headers: { ...request.headers, ...secretHeaders } };
}

/** Where to ask next; undefined if the answer stands. */
function nextTarget(
  { status, headers: { location } }: OutboundAnswer,
  { mayFollow = areFew }: OutboundRequest,
  { host, origin, path }: Target,
  count: number,
): Target | Refusal | undefined {
  if (!isRedirect(status) || location === undefined) return undefined;
  if (!mayFollow({ status, count, from: host }))
    return refuse('invalid_response', { field: 'redirects', wanted: count - 1 });
  return targetOf(location, origin + path) ?? refuse('not_callable', { field: 'url' });
}

/** GETs follow redirects within their deadline. `now`: milliseconds, never going back. */
export function createFollowing(send: SendRequest, now: () => number) {
  const targets = createTargets();
  const follow = async (
    request: OutboundRequest,
    first: Target,
    deadlineMs: number,
    mayRepeat?: () => boolean,
  ): Promise<OutboundAnswer | Refusal> => {
    const startMs = now();
    let target = first;
    let leftMs = deadlineMs;
    for (let count = 1; ; count += 1) {
      if (leftMs <= 0) return refuse('timed_out', { wanted: Math.round(deadlineMs) });
      const answer = await send(target, requestAt(target, first, request), leftMs, mayRepeat);
      const next = 'reason' in answer ? undefined : nextTarget(answer, request, target, count);
      if (next === undefined) return answer;
      if ('reason' in next) return next;
      target = next;
      leftMs = deadlineMs - (now() - startMs);
    }
  };
  return (
    request: OutboundRequest,
    deadlineMs: number,
    mayRepeat?: () => boolean,
  ): Promise<OutboundAnswer | Refusal> => {
    const target = targets(request);
    if (target === undefined) return Promise.resolve(refuse('not_callable', { field: 'url' }));
    if (request.method === 'GET') return follow(request, target, deadlineMs, mayRepeat);
    return send(target, request, deadlineMs, mayRepeat);
  };
}
