import type { ServerResponse } from 'node:http';
import { httpUrl } from '../../../protocols/http-url.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { billClick, billImpression } from '../../trackers/bill.ts';
import type { TrackedAd } from '../../trackers/tracked-ad.ts';
import { objectsOf, type TrackerCall } from '../../trackers/tracker-call.ts';
import { trackerUrl } from '../../trackers/tracker-url.ts';
import { countInvalid, countValidity, mismatchOf } from '../../trackers/validity.ts';
import { clickUrl } from './click-url.ts';
import { humanAnswer, jsCheckHeaders, jsCheckPage } from './js-check.ts';

/** A visitor on the way to an advertiser. */
export interface Visit extends TrackerCall {
  readonly response: ServerResponse;
  readonly token: string;
  /** What the page of `JsCheck` found out; `""` if the visitor was not sent through it. */
  readonly jsAnswer: string;
}

const fresh = { 'cache-control': 'no-store', 'content-length': 0 } as const;

/** Answers a visitor who is sent nowhere: 204. */
export function sendNoContent(response: ServerResponse): void {
  response.writeHead(204, { 'cache-control': 'no-store' }).end();
}

/** Sends a visitor who may not go on to the supply object's `FallbackUrl`; 204 if it has none. */
export function sendBack(response: ServerResponse, supply: Supply | undefined): void {
  const fallback = httpUrl(supply?.settings.FallbackUrl ?? '');
  if (fallback !== undefined) response.writeHead(302, { ...fresh, location: fallback }).end();
  else sendNoContent(response);
}

/** Headers that hide the visitor's referer from the advertiser, unless neither supply nor demand hides its site. */
function referrerPolicyOf(visit: Visit): Record<string, string> {
  const { supply, demand } = objectsOf(visit);
  const isHidden = supply?.settings.SendOriginalSite === 0 || demand?.settings.SendOriginalSite === 0;
  return supply && !isHidden ? {} : { 'referrer-policy': 'no-referrer' };
}

/** A feed's visitor; else it is that of a pop that was offered in somebody else's auction. */
const isFeedClick = ({ offer }: TrackedAd) => offer === '';

/** Sends the page of `JsCheck`, which tells programs from people. Its next URL has a token that says it was sent. */
function sendPage({ ad, context, response }: Visit): void {
  const type = isFeedClick(ad) ? 'click' : 'open';
  const token = context.tokens.sign(type, { ...ad, isRefererChecked: true });
  const next = isFeedClick(ad) ? clickUrl('', token) : trackerUrl({ base: '', token }, 'open');
  const page = Buffer.from(jsCheckPage(token, next));
  response.writeHead(200, { ...fresh, ...jsCheckHeaders, 'content-length': page.length }).end(page);
}

function wantsPage(visit: Visit): boolean {
  const { supply, demand } = objectsOf(visit);
  return supply?.settings.JsCheck === 1 || demand?.settings.JsCheck === 1;
}

/** Whether the visit is refused: by a match flag, or by what the page found out. */
function isInvalid(visit: Visit): boolean {
  const { ad, token, jsAnswer } = visit;
  return mismatchOf(visit) !== undefined || (ad.isRefererChecked && jsAnswer !== humanAnswer(token));
}

/**
 * The click of a pop. It is checked by the match flags and `JsCheck`; a refused visit counts as invalid and is sent
 * back. Else it counts as the ad's impression, click and billable event in one (an offered pop's as its impression),
 * and the visitor is sent on to the advertiser. Answers whether the visit was accepted. Rejects if the events cannot be
 * made durable.
 */
export async function redirectVisit(visit: Visit): Promise<boolean> {
  const { ad, response } = visit;
  if (isInvalid(visit)) {
    await countInvalid(visit, 'invalid_impressions');
    sendBack(response, objectsOf(visit).supply);
    return false;
  }
  if (!ad.isRefererChecked && wantsPage(visit)) {
    sendPage(visit);
    return true;
  }
  const [isFirst] = await Promise.all([billImpression(visit), isFeedClick(ad) && billClick(visit)]);
  if (isFirst) countValidity(visit, false);
  response.writeHead(302, { ...fresh, ...referrerPolicyOf(visit), location: ad.landing }).end();
  return true;
}
