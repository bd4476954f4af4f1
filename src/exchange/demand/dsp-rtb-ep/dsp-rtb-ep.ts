import { refuse } from '../../reasons.ts';
import type { DemandKind } from '../demand-kind.ts';
import { regionalUrl } from '../regional-url.ts';
import { bodyOf } from './body.ts';
import { demandPart } from './demand-part.ts';
import { readAnswer } from './read-bid.ts';

const headers = {
  'content-type': 'application/json',
  'accept-encoding': 'gzip',
  'x-openrtb-version': '2.6',
};
const headersOfZipped = { ...headers, 'content-encoding': 'gzip' };

/** Sends OpenRTB 2.6, which bidders of 2.5 understand, by POST; the best bid of the response takes part. */
export const dspRtbEp: DemandKind = {
  build(demand, solicitation, deals) {
    const url = regionalUrl(demand.settings, 'ZoneUrl', solicitation.region);
    if (url === '') return refuse('not_callable', { field: 'ZoneUrl' });
    const body = bodyOf(demand, solicitation, deals);
    return {
      method: 'POST',
      url,
      headers: demandPart(demand).isZipped ? headersOfZipped : headers,
      body,
    };
  },
  read(demand, solicitation, answer) {
    return answer === undefined ? refuse('error') : readAnswer(demand, solicitation, answer);
  },
};
