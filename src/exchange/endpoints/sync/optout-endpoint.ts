import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { plainPage, plainPagePolicy } from '../../../reference/plain-page.ts';
import {
  hasOptedOut,
  matchCookies,
  noMatches,
  optOutCookies,
  partnerOfEntry,
  readMatches,
} from '../../viewer-matches.ts';
import { refuseMethod } from '../cors-headers.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { readBody } from '../rtb/read-body.ts';
import { type SyncAnswer, syncEndpoint } from './sync-answer.ts';

const policy = plainPagePolicy('*', (text) => hash('sha256', text, 'base64'));

type Choice = 'out' | 'delete' | 'in';

const buttons = {
  out: { name: 'choice', value: 'out', text: 'Opt out' },
  delete: { name: 'choice', value: 'delete', text: 'Delete my IDs' },
  in: { name: 'choice', value: 'in', text: 'Allow it again' },
} as const satisfies Record<Choice, object>;

/** `Set-Cookie` headers, besides those that delete what is known. */
const cookiesFor: Readonly<Record<Choice, readonly string[]>> = {
  out: optOutCookies(true),
  delete: [],
  in: optOutCookies(false),
};

const isChoice = (text: string): text is Choice => Object.hasOwn(cookiesFor, text);

const explanation = [
  'When you visit a page with ads that this exchange sells, advertisers and their partners may each have an ID of their own for your browser. With your permission, cookies in your browser remember these IDs for up to 30 days, so that a partner recognizes your browser when it is offered an ad on the same site. We keep no copy of them, and each partner is told its own ID only.',
  'Opting out stops this and deletes the IDs that are known here. A cookie remembers that choice for five years. Browsers that separate sites from each other, as most do, keep IDs and choices by site: to choose for a site, use this page inside the privacy page of that site, if it has one, or the settings of your browser.',
];

function stateOf(cookie: string | undefined, nowMs: number): string {
  if (hasOptedOut(cookie)) return 'Now: you have opted out. No IDs are kept.';
  const { table } = readMatches(cookie, nowMs) ?? noMatches;
  const count = new Set([...table.keys()].map(partnerOfEntry)).size;
  if (count === 0) return 'Now: your browser has no IDs here.';
  return `Now: your browser has ${count === 1 ? 'one ID' : `${count} IDs`} here.`;
}

function page({ headers: { cookie } }: IncomingMessage, { services }: DeliveryContext): SyncAnswer {
  const shown = hasOptedOut(cookie) ? [buttons.in] : [buttons.out, buttons.delete];
  const body = plainPage({
    title: 'Your choice about ad IDs',
    lines: [stateOf(cookie, services.now()), ...explanation],
    buttons: shown,
  });
  return { status: 200, type: 'text/html; charset=utf-8', policy, body };
}

/** From the page itself, also in a frame. */
function isFromPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return URL.parse(headers.origin ?? '')?.host === headers.host;
}

async function chosen(request: IncomingMessage, { services }: DeliveryContext): Promise<SyncAnswer> {
  const body = await readBody(request);
  const choice = new URLSearchParams(body?.toString() ?? '').get('choice') ?? '';
  if (!isFromPage(request)) return { status: 403, body: 'only the page /optout itself may send a choice' };
  if (!isChoice(choice)) return { status: 400, body: 'choice must be out, delete or in' };
  const known = readMatches(request.headers.cookie, services.now()) ?? noMatches;
  const cookies = [...cookiesFor[choice], ...matchCookies(known, noMatches)];
  return { status: 303, location: '/optout', cookies };
}

/** `/optout`: what is kept of a viewer, who may delete it or opt out. */
export const optoutEndpoint = syncEndpoint('/optout', {
  pagePolicy: policy,
  refuse: (request, response) => request.method !== 'POST' && refuseMethod(request, response),
  answer: (request, context) =>
    request.method === 'POST' ? chosen(request, context) : page(request, context),
});
