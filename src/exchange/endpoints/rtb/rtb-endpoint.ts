import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BuiltResponse, NoBidResponse } from '../../../protocols/openrtb/built-response.ts';
import { FormFault } from '../../../protocols/openrtb/member-types.ts';
import { readBidRequest, type ValidRequest } from '../../../protocols/openrtb/read-bid-request.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { runAuction } from '../../auction/run-auction.ts';
import { unknownCaller } from '../../reading/caller.ts';
import { zoneQuery } from '../../reading/query.ts';
import { isRefusal, type Reason, type Refusal, reasons, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { untilTickRead } from '../../tick-phases.ts';
import type { DeliveryContext, DeliveryEndpoint } from '../delivery-endpoint.ts';
import { finishAuction } from '../finish-auction.ts';
import { bidResponse, type ImpAuction } from './bid-response.ts';
import { browserAccess, refuseNoPost } from './browser-access.ts';
import { readBody } from './read-body.ts';
import { readOpportunities } from './read-opportunities.ts';
import { type RtbAnswer, sendRtbAnswer } from './send-answer.ts';

interface Answer extends RtbAnswer {
  readonly auctions?: readonly ImpAuction[];
}

/** All other refusals answer no bid. */
const statuses: Readonly<Partial<Record<Reason, 401 | 429>>> = {
  unknown_supply: 401,
  max_qps: 429,
};

/** With a body, `nbr` gives the reason. */
function refused({ reason }: Refusal, id: string): RtbAnswer {
  const status = statuses[reason];
  if (status === undefined) return { status: 204 };
  const body: NoBidResponse = { id, nbr: reasons[reason] };
  return { status, body };
}

const unreadable = {
  fault: new FormFault('a body of at most 512 KiB, in the encoding that its headers declare'),
  id: '',
};

const wantedBy = ({ wanted, section }: FormFault) =>
  `wanted ${wanted}${section && ` (OpenRTB 2.6 section ${section})`}`;

/** For a body that is no bid request; it says what is wrong. */
function refusedAsFaulty({ fault, id }: typeof unreadable): RtbAnswer {
  const place = fault.path === '' ? '' : `${fault.path}: `;
  const body: NoBidResponse = {
    id,
    nbr: reasons.invalid_request,
    ext: { fault: `${place}${wantedBy(fault)}` },
  };
  return { status: 400, body };
}

/** Names what was left out, with place, ID and fault. */
const namedDrops = (dropped: ValidRequest['dropped']): NonNullable<BuiltResponse['ext']> => ({
  dropped: dropped.map(({ index, id, fault }) => ({
    imp: index,
    ...(id && { id }),
    path: fault.path,
    fault: wantedBy(fault),
  })),
});

function countUnheld(
  supply: Supply,
  reason: Reason,
  timeMs: number,
  { reports: { events } }: DeliveryContext,
) {
  const invalid = Number(reason === 'invalid_request');
  events.refuse({ supply, demand: undefined }, reason, timeMs, { count: 1, lostNanos: 0, invalid });
}

async function auctioned(
  supply: Supply,
  valid: ValidRequest,
  request: IncomingMessage,
  timeMs: number,
  context: DeliveryContext,
): Promise<Answer> {
  const { services } = context;
  const { request: received, dropped } = valid;
  const refusal = services.limits.takeRequest(supply, timeMs);
  if (refusal) {
    countUnheld(supply, refusal.reason, timeMs, context);
    return refused(refusal, received.id);
  }
  const caller = context.callerOf(request);
  const read = (as: Supply, atMs: number) => readOpportunities(as, valid, caller, atMs, context);
  const auctions = await Promise.all(
    read(supply, timeMs).map(async ({ imp, opportunity }, index) => {
      const readAgain = (as: Supply) => read(as, services.now())[index]?.opportunity ?? opportunity;
      const auction = await runAuction(supply, opportunity, services, readAgain);
      return { impId: imp.id, auction };
    }),
  );
  const body = bidResponse(received.id, auctions, context);
  if (body === undefined) return { status: 204, auctions };
  return { status: 200, body: dropped.length > 0 ? { ...body, ext: namedDrops(dropped) } : body, auctions };
}

async function answer(
  supply: Supply | Refusal,
  request: IncomingMessage,
  context: DeliveryContext,
): Promise<Answer> {
  const timeMs = context.services.now();
  if (isRefusal(supply)) return refused(supply, '');
  const body = await readBody(request);
  await untilTickRead();
  const read = body ? readBidRequest(body) : unreadable;
  if ('fault' in read) {
    countUnheld(supply, 'invalid_request', timeMs, context);
    return refusedAsFaulty(read);
  }
  return auctioned(supply, read, request, timeMs, context);
}

/**
 * `/rtb`: 200 with bids, 204 without, 400 if not OpenRTB, 401 for wrong credentials, 429 over `MaxQps`. A fault of ours
 * is logged and answers no bid.
 */
export const rtbEndpoint: DeliveryEndpoint = {
  path: '/rtb',
  requestReader: {
    kind: 'RtbEp',
    read(supply, { openRtb }, context) {
      if (!openRtb) return undefined;
      const [first] = readOpportunities(
        supply,
        { request: openRtb, unfilled: [] },
        unknownCaller,
        context.services.now(),
        context,
      );
      return first?.opportunity;
    },
  },
  async serve(request, response: ServerResponse, context) {
    const query = zoneQuery(request.url ?? '');
    const credentials = { kind: 'RtbEp', id: query.text('zone'), auth: query.text('auth') } as const;
    const supply = authenticate(context.snapshot(), credentials, context.services.now());
    const access = browserAccess(isRefusal(supply) ? undefined : supply, request);
    if (refuseNoPost(request, response, access)) return;
    try {
      const { auctions = [], ...sent } = await answer(supply, request, context);
      const withheld = response.destroyed ? refuse('caller_gone') : undefined;
      sendRtbAnswer(request, response, sent, access);
      for (const { auction } of auctions) finishAuction(auction, context, withheld);
    } catch (error) {
      context.onFault(error);
      if (!response.headersSent) sendRtbAnswer(request, response, { status: 204 }, access);
    }
  },
};
