import type { Edit } from './edit.ts';
import type { Template } from './template.ts';
import type { Trackers } from './trackers.ts';
import type { XmlElement, XmlFault } from './xml-tree.ts';

/** As written. */
export interface Pricing {
  readonly model: string;
  readonly currency: string;
  readonly value: string;
}

/** Omitted values are `""`, empty or undefined. */
export interface VastAd {
  /** Its `<Ad>`. */
  readonly element: XmlElement;
  /** Its `<InLine>` or `<Wrapper>`. */
  readonly content: XmlElement;
  readonly isInLine: boolean;
  /** It has media, or a non-linear ad's resources; a wrapper has a URL. */
  readonly isPlayable: boolean;
  /** In the stream, over it (non-linear), or both. */
  readonly linear: boolean;
  readonly nonLinear: boolean;
  /** All of its media files need VPAID. */
  readonly isVpaid: boolean;
  /** `""` for an InLine ad. */
  readonly wrappedUrl: string;
  readonly pricing: Pricing | undefined;
  readonly advertiser: string;
  /** Of the advertiser, and the hosts that clicks lead to; lower case. */
  readonly adDomains: readonly string[];
  /** IAB Content Taxonomy 1.0. */
  readonly categories: readonly string[];
  readonly creativeId: string;
  /** Of its media files, in lower case. */
  readonly mediaTypes: readonly string[];
  /** The longest of its linear creatives. */
  readonly durationSeconds: number | undefined;
}

export interface VastDocument {
  /** Without what was dropped, surrounding white space and a false encoding. */
  readonly text: string;
  /** Dropped because browsers would run or render them, as `h:script`. */
  readonly dropped: readonly string[];
  /** As written. */
  readonly version: string;
  readonly root: XmlElement;
  /** Empty for an answer without an ad. */
  readonly ads: readonly VastAd[];
  /** The first element that loads something by plain http. */
  readonly insecureElement: string | undefined;
  /** Cached by `trackerEdits`. */
  edits?: readonly Edit[] | undefined;
  /** Cached by `injectTrackers`, with its trackers. */
  prepared?: { readonly trackers: Trackers; readonly template: Template } | undefined;
}

export interface VastFault {
  readonly fault: XmlFault | 'not_vast';
}
