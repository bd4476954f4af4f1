import { type Refusal, refuse } from '../../reasons.ts';
import type { OutboundAnswer, OutboundRequest } from '../demand-kind.ts';
import { createTargets, type Target, targetOf } from './target.ts';

export type SendRequest = (
  target: Target,
  request: OutboundRequest,
  deadlineMs: number,
  mayRepeat?: () => boolean,
) => Promise<OutboundAnswer | Refusal>;

const redirectsMax = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number) => redirects.has(status);

function requestAt(target: Target, first: Target, request: OutboundRequest): OutboundRequest {
  const { secretHeaders } = request;
  if (secretHeaders === undefined || target.origin !== first.origin) return request;
  return { ...request, headers: { ...request.headers, ...secretHeaders } };
}

/** GETs follow three redirects within their deadline. `now`: milliseconds, never going back. */
export function createFollowing(send: SendRequest, now: () => number) {
  const targets = createTargets();
  const follow = async (
    request: OutboundRequest,
    first: Target,
    deadlineMs: number,
    mayRepeat?: () => boolean,
  ) => {
    const startMs = now();
    let target: Target | undefined = first;
    let leftMs = deadlineMs;
    for (let hops = 0; hops <= redirectsMax; hops += 1) {
      if (target === undefined) return refuse('not_callable', { field: 'url' });
      if (leftMs <= 0) return refuse('timed_out', { wanted: Math.round(deadlineMs) });
      const sent = requestAt(target, first, request);
      const answer: OutboundAnswer | Refusal = await send(target, sent, leftMs, mayRepeat);
      if ('reason' in answer || !isRedirect(answer.status)) return answer;
      const { location } = answer.headers;
      if (location === undefined) return answer;
      target = targetOf(location, target.origin + target.path);
      leftMs = deadlineMs - (now() - startMs);
    }
    return refuse('invalid_response', { field: 'redirects', wanted: redirectsMax });
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
