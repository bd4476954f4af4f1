import type { Edit } from './edit.ts';
import type { Template } from './template.ts';
import type { Trackers } from './trackers.ts';
import type { XmlElement, XmlFault } from './xml-tree.ts';

/** A `<Pricing>` as it was written. */
export interface Pricing {
  readonly model: string;
  readonly currency: string;
  readonly value: string;
}

/** What a document says of one of its ads; what it leaves out is `""`, empty or undefined. */
export interface VastAd {
  /** Its `<Ad>`. */
  readonly element: XmlElement;
  /** Its `<InLine>` or `<Wrapper>`. */
  readonly content: XmlElement;
  readonly isInLine: boolean;
  /** It has media, or a non-linear ad's resources; a wrapper has a URL. */
  readonly isPlayable: boolean;
  /** An InLine ad has a film in the stream, something that is shown over it, or both. */
  readonly linear: boolean;
  readonly nonLinear: boolean;
  /** All of its media files need a player with VPAID. */
  readonly isVpaid: boolean;
  /** URL at which a wrapper's ad is found; `""` for an InLine ad. */
  readonly wrappedUrl: string;
  readonly pricing: Pricing | undefined;
  /** Name of the advertiser, as written. */
  readonly advertiser: string;
  /** Domains of the advertiser, and the hosts that a click leads to, in lower case. */
  readonly adDomains: readonly string[];
  /** Names of the IAB's Content Taxonomy 1.0. */
  readonly categories: readonly string[];
  readonly creativeId: string;
  /** MIME types of its media files, in lower case. */
  readonly mediaTypes: readonly string[];
  /** The longest of its linear creatives. */
  readonly durationSeconds: number | undefined;
}

export interface VastDocument {
  /** The document, without what was dropped, white space around it and a false declaration of its encoding. */
  readonly text: string;
  /** Names of the elements that were dropped, as `h:script`, since browsers would run or render them. */
  readonly dropped: readonly string[];
  /** As written. */
  readonly version: string;
  readonly root: XmlElement;
  /** Its ads, InLine and wrappers; empty for an answer without an ad. */
  readonly ads: readonly VastAd[];
  /** Name of the first element that loads something by plain http; undefined if none does. */
  readonly insecureElement: string | undefined;
  /** The edits that `trackerEdits` has found. It keeps them here. */
  edits?: readonly Edit[] | undefined;
  /** The template that `injectTrackers` made last, with the trackers that are in it. */
  prepared?: { readonly trackers: Trackers; readonly template: Template } | undefined;
}

/** Why a text is no VAST document. */
export interface VastFault {
  readonly fault: XmlFault | 'not_vast';
}
