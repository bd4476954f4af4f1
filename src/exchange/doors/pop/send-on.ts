import type { ServerResponse } from 'node:http';
import { httpUrl } from '../../../protocols/http-url.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { isFeedClick, type TrackedAd } from '../../trackers/tracked-ad.ts';
import {
  billClick,
  billImpression,
  countInvalid,
  countValidity,
  mismatchOf,
  objectsOf,
  type Report,
} from '../../trackers/tracker-door.ts';
import { trackerUrl } from '../../trackers/tracker-url.ts';
import { clickUrl } from './click-url.ts';
import { humanAnswer, jsCheckHeaders, jsCheckPage } from './js-check.ts';

/** A visitor on the way to an advertiser. */
export interface Visit extends Report {
  readonly response: ServerResponse;
  /** The token of the click. */
  readonly token: string;
  /** What the page of `JsCheck` found out; `""` where it was not asked. */
  readonly jsAnswer: string;
}

const fresh = { 'cache-control': 'no-store', 'content-length': 0 } as const;

/** Answers who is sent nowhere. */
export function sendNowhere(response: ServerResponse): void {
  response.writeHead(204, { 'cache-control': 'no-store' }).end();
}

/** Sends whoever may not go on to `FallbackUrl`, else nowhere: 204. */
export function sendBack(response: ServerResponse, supply: Supply | undefined): void {
  const fallback = httpUrl(String(supply?.document.FallbackUrl ?? ''));
  if (fallback !== undefined) response.writeHead(302, { ...fresh, location: fallback }).end();
  else sendNowhere(response);
}

/** The advertiser's server sees the referer of the visitor's browser: only where both sides, as far as they say, show the site. */
function referrerPolicyOf(visit: Visit): Record<string, string> {
  const { supply, demand } = objectsOf(visit);
  const isHidden = supply?.document.SendOriginalSite === 0 || demand?.document.SendOriginalSite === 0;
  return supply && !isHidden ? {} : { 'referrer-policy': 'no-referrer' };
}

/** The page that tells programs from people; it goes on with a token that says so. */
function sendPage({ ad, context, response }: Visit): void {
  const token = context.tokens.sign({ ...ad, isRefererChecked: true } satisfies TrackedAd);
  const next = isFeedClick(ad) ? clickUrl('', token) : trackerUrl({ base: '', token }, 'open');
  const page = Buffer.from(jsCheckPage(token, next));
  response.writeHead(200, { ...fresh, ...jsCheckHeaders, 'content-length': page.length }).end(page);
}

function wantsPage(visit: Visit): boolean {
  const { supply, demand } = objectsOf(visit);
  return supply?.document.JsCheck === 1 || demand?.document.JsCheck === 1;
}

/** Whether the visit is refused: by a match flag, or by what the page found out. */
function isInvalid(visit: Visit): boolean {
  const { ad, token, jsAnswer } = visit;
  return mismatchOf(visit) !== undefined || (ad.isRefererChecked && jsAnswer !== humanAnswer(token));
}

/**
 * The click of a pop: held against the match flags and `JsCheck`, counted as the ad's impression, click and billable
 * event in one (one that was offered: as its impression), and sent on to the advertiser; refused, it counts as invalid
 * and is sent back (delivery, "The doors").
 * Answers whether it was not refused. Rejects where the events cannot be made durable.
 */
export async function sendOn(visit: Visit): Promise<boolean> {
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
