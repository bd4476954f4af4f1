import { readVast } from '../../protocols/vast/read-vast.ts';
import { descendantsOf, type XmlElement } from '../../protocols/vast/xml-tree.ts';

export interface AdTracker {
  /** `impression`, `error`, `click`, or the event of a `<Tracking>`. */
  readonly event: string;
  readonly url: string;
}

/** As far as a player without a screen needs it. */
export interface PlayableAd {
  readonly durationSeconds: number;
  readonly trackers: readonly AdTracker[];
}

const secondsByDefault = 15;

const eventsByElement: ReadonlyMap<string, string> = new Map([
  ['impression', 'impression'],
  ['error', 'error'],
  ['clicktracking', 'click'],
  ['clickthrough', 'click'],
]);

function trackerOf({ key, text, attributes }: XmlElement): AdTracker[] {
  const event = key === 'tracking' ? attributes.get('event') : eventsByElement.get(key);
  return event === undefined || text === '' ? [] : [{ event, url: text }];
}

/** Undefined if there is none, a fault if the text is no VAST. */
export function playableAd(text: string): PlayableAd | { readonly fault: string } | undefined {
  const document = readVast(text);
  if ('fault' in document) return document;
  const [ad] = document.ads;
  return (
    ad && {
      durationSeconds: ad.durationSeconds ?? secondsByDefault,
      trackers: descendantsOf(ad.content).flatMap(trackerOf),
    }
  );
}
