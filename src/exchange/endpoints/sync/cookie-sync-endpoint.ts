import type { IncomingMessage } from 'node:http';
import { privacyMacroNames } from '../../../reference/privacy-macros.ts';
import { zoneQuery } from '../../reading/query.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { noMatches } from '../../viewer-matches.ts';
import { corsHeaders } from '../cors-headers.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { refuseNoPost } from '../rtb/browser-access.ts';
import { readBody } from '../rtb/read-body.ts';
import { optedOut, type SyncAnswer, syncEndpoint, unknownSupply } from './sync-answer.ts';
import {
  codeOf,
  partnerNamed,
  partnersOf,
  shuffled,
  supplyOf,
  syncTypeOf,
  syncUrlOf,
} from './sync-partners.ts';
import { viewerOf } from './sync-viewer.ts';

/** A browser has other things to do. */
export const syncsMax = 8;

type Asked = Readonly<Record<string, unknown>>;

/** Of Prebid.js: which partners may be asked in which way. */
const filterNames = { iframe: 'iframe', redirect: 'image' } as const;

const isRecord = (value: unknown): value is Asked =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const recordIn = (value: unknown): Asked => (isRecord(value) ? value : {});

/** As Prebid Server reads it, an absent body asks for all partners. */
function askedIn(body: Buffer): Asked | undefined {
  if (body.length === 0) return {};
  try {
    const asked: unknown = JSON.parse(body.toString());
    return isRecord(asked) ? asked : undefined;
  } catch {
    return undefined;
  }
}

/** `""` for what is neither text nor a number. */
const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Signals of the body before those of the URL. */
function withSignals(url: string, asked: Asked): string {
  const told = privacyMacroNames.map((name) => [name, textIn(asked[name])]);
  const signals = new URLSearchParams(told.filter(([, text]) => text !== ''));
  return `?${signals}&${url.split('?')[1] ?? ''}`;
}

/** Of a list of codes; more than that name nobody. */
const namesMax = 1000;

type Partners = (demand: Demand) => boolean;

/** Those that a list names; all, if there is no list. */
function namedIn(codes: unknown, { snapshot }: DeliveryContext): Partners {
  if (!Array.isArray(codes)) return () => true;
  const known = codes.slice(0, namesMax).map((code) => partnerNamed(textIn(code), snapshot())?.partner);
  const partners = new Set(known);
  return ({ partner }) => partners.has(partner);
}

/** Those that may be asked in that way. */
function permittedBy(settings: Asked, name: 'iframe' | 'image', context: DeliveryContext): Partners {
  const { bidders, filter } = recordIn(settings[name]);
  const isNamed = namedIn(bidders, context);
  return (demand) => isNamed(demand) !== (filter === 'exclude');
}

function askedPartners(asked: Asked, context: DeliveryContext): Partners {
  const isNamed = namedIn(asked.bidders, context);
  const settings = recordIn(asked.filterSettings);
  const permitted = {
    iframe: permittedBy(settings, filterNames.iframe, context),
    redirect: permittedBy(settings, filterNames.redirect, context),
  };
  return (demand) => isNamed(demand) && permitted[syncTypeOf(demand)](demand);
}

const limitIn = ({ limit }: Asked): number => {
  const wanted = Number(textIn(limit));
  return wanted >= 1 ? Math.min(Math.floor(wanted), syncsMax) : syncsMax;
};

async function answer(request: IncomingMessage, context: DeliveryContext): Promise<SyncAnswer> {
  const { url = '' } = request;
  const supply = supplyOf(zoneQuery(url), context);
  if (!supply) {
    request.resume();
    return unknownSupply;
  }
  const body = await readBody(request);
  const asked = body && askedIn(body);
  if (!asked)
    return { status: 400, body: 'the body must be a JSON object of at most 512 KiB, as for Prebid Server' };
  const whose = { teamId: supply.teamId, mode: supply.settings.ConsentMode };
  const viewer = viewerOf(request, zoneQuery(withSignals(url, asked)), whose, context);
  if (viewer.hasOptedOut) return optedOut;
  const isAsked = askedPartners(asked, context);
  const partners = partnersOf(supply).filter(
    (demand) => viewer.matches.of(demand.partner) === undefined && viewer.maySync(demand) && isAsked(demand),
  );
  const { random, baseUrl } = context.services;
  const bidderStatus = shuffled(partners, random)
    .slice(0, limitIn(asked))
    .map((demand) => ({
      bidder: codeOf(demand),
      no_cookie: true,
      usersync: {
        url: syncUrlOf(demand, viewer.privacy, baseUrl()),
        type: syncTypeOf(demand),
        supportCORS: false,
      },
    }));
  const status = viewer.matches === noMatches ? 'no_cookie' : 'ok';
  return {
    status: 200,
    type: 'application/json',
    body: JSON.stringify({ status, bidder_status: bidderStatus }),
  };
}

/** `/cookie_sync`: as Prebid Server's, for the partners of a supply object. */
export const cookieSyncEndpoint = syncEndpoint('/cookie_sync', {
  refuse: (request, response) => refuseNoPost(request, response, corsHeaders(request, {})),
  answer,
});
