import type { ServerResponse } from 'node:http';
import { httpUrl } from '../../../protocols/http-url.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { billClick, billImpression } from '../../trackers/bill.ts';
import type { TrackedAd } from '../../trackers/tracked-ad.ts';
import { objectsOf, type TrackerCall } from '../../trackers/tracker-call.ts';
import { trackerUrl } from '../../trackers/tracker-url.ts';
import { countInvalid, countValidity, invalidVisit } from '../../trackers/validity.ts';
import { clickUrl } from './click-url.ts';
import { humanAnswer, jsCheckHeaders, jsCheckPage } from './js-check.ts';

export interface Visit extends TrackerCall {
  readonly response: ServerResponse;
  readonly token: string;
  /** `""` if the visitor did not pass through the page of `JsCheck`. */
  readonly jsAnswer: string;
}

const fresh = { 'cache-control': 'no-store', 'content-length': 0 } as const;

export function sendNoContent(response: ServerResponse): void {
  response.writeHead(204, { 'cache-control': 'no-store' }).end();
}

/** To the supply object's `FallbackUrl`; 204 if it has none. */
export function sendBack(response: ServerResponse, supply: Supply | undefined): void {
  const fallback = httpUrl(supply?.settings.FallbackUrl ?? '');
  if (fallback !== undefined) response.writeHead(302, { ...fresh, location: fallback }).end();
  else sendNoContent(response);
}

/** Hides the referer from the advertiser, unless neither side hides its site. */
function referrerPolicyOf(visit: Visit): Record<string, string> {
  const { supply, demand } = objectsOf(visit);
  const isHidden = supply?.settings.SendOriginalSite === 0 || demand?.settings.SendOriginalSite === 0;
  return supply && !isHidden ? {} : { 'referrer-policy': 'no-referrer' };
}

/** Else a pop that we offered in another exchange's auction. */
const isFeedClick = ({ offer }: TrackedAd) => offer === '';

/** The page of `JsCheck`. Its next URL has a token that says it was sent. */
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

/** By a match flag, or by what the page found out. */
function isInvalid(visit: Visit): boolean {
  const { ad, token, jsAnswer } = visit;
  return invalidVisit(visit) !== undefined || (ad.isRefererChecked && jsAnswer !== humanAnswer(token));
}

/**
 * Checks a pop's click by match flags and `JsCheck`; invalid visits are counted and sent back. Else counts it (as
 * impression, click and billable event; an offered pop's as impression) and redirects to the advertiser. True if
 * accepted; rejects if events cannot be made durable.
 */
export async function redirectVisit(visit: Visit): Promise<boolean> {
  const { ad, response } = visit;
  if (isInvalid(visit)) {
    await countInvalid(visit, 'invalid_impressions', 'visitor_refused');
    sendBack(response, objectsOf(visit).supply);
    return false;
  }
  if (!ad.isRefererChecked && wantsPage(visit)) {
    sendPage(visit);
    return true;
  }
  const [isFirst] = await Promise.all([billImpression(visit), isFeedClick(ad) && billClick(visit)]);
  if (isFirst) countValidity(visit, undefined);
  response.writeHead(302, { ...fresh, ...referrerPolicyOf(visit), location: ad.landing }).end();
  return true;
}
