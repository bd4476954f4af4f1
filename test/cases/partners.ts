import {
  bidResponse,
  type DspAnswer,
  type DspCall,
  pricing,
  vastAd,
  vastWrapper,
} from '../exchange/mock-dsp.ts';
import type { Answers } from './case.ts';

type Ad = NonNullable<Answers['vast']>;

/** A bid of a case; its `adm` may be told by its parts. */
interface PartnerBid {
  readonly adm?: string | { readonly vast?: Ad; readonly wrapper?: string } | null;
}

const native = JSON.stringify({ assets: [], link: { url: 'https://brand.example/' } });

/** The markup of a bid that tells none, by what is asked for. */
function usualMarkup({ body }: DspCall): string {
  const { imp } = JSON.parse(body) as { readonly imp: readonly object[] };
  const [first = {}] = imp;
  if ('video' in first) return vastAd();
  if ('audio' in first) return vastAd({ type: 'audio/mpeg' });
  if ('native' in first) return native;
  return 'banner' in first ? '<p>ad</p>' : 'https://brand.example/pop';
}

function vastOf({ price, currency, model, ...ad }: Ad): string {
  return vastAd({ ...ad, ...(price !== undefined && { pricing: pricing(String(price), currency, model) }) });
}

function markupOf(adm: PartnerBid['adm'], call: DspCall): unknown {
  if (adm === undefined) return usualMarkup(call);
  if (adm === null) return undefined;
  if (typeof adm === 'object' && adm.vast) return vastOf(adm.vast);
  return typeof adm === 'object' && adm.wrapper !== undefined ? vastWrapper(adm.wrapper) : adm;
}

/** What a partner of a case answers to a call; `partner` is the URL of the case's own. */
export function answerTo(answers: Answers, call: DspCall, partner: string): DspAnswer {
  const requestId = call.body === '' ? '' : String(JSON.parse(call.body).id);
  const source = JSON.stringify(answers).replaceAll('{partner}', partner).replaceAll('{id}', requestId);
  const { vast, wrapper, bid, bids, response, status, body, afterMs, never }: Answers = JSON.parse(source);
  const how = {
    ...(status !== undefined && { status }),
    ...((never || afterMs !== undefined) && { afterMs: never ? Number.POSITIVE_INFINITY : (afterMs ?? 0) }),
  };
  const made = bids ?? (bid && [bid]);
  if (made) {
    const whole = made.map((one, at) => {
      return { id: `bid-${at + 1}`, ...one, adm: markupOf((one as PartnerBid).adm, call) };
    });
    return { ...bidResponse(call, whole, response), ...how };
  }
  if (response) return { body: JSON.stringify({ id: requestId, ...response }), ...how };
  if (body !== undefined) return { body, ...how };
  if (wrapper !== undefined) return { body: vastWrapper(wrapper), ...how };
  return { body: vast ? vastOf(vast) : '', ...how };
}
