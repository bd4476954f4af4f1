import type { ApiRequest } from '../../api/call.ts';
import type { Values } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';

/** A rule that refuses: which, by which field, what it wants, and what it met. */
export interface RuleRefusal {
  readonly Rule: string;
  /** What it means, and what changes it. */
  readonly Help?: string;
  readonly Field: string;
  readonly Wanted: unknown;
  readonly Met: unknown;
}

/** What became of one demand object. */
export interface Candidate extends RuleRefusal {
  readonly Entity: string;
  readonly Id: number;
  readonly Name: string;
  readonly Outcome: 'won' | 'fallback' | 'asked' | 'refused';
  readonly Refusals: readonly RuleRefusal[];
  readonly Price: number | null;
  readonly DroppedElements: readonly string[];
}

/** What would become of a request. */
export interface Explanation extends Omit<RuleRefusal, 'Rule'> {
  readonly Outcome: string;
  readonly Refusals?: readonly RuleRefusal[];
  readonly Candidates: readonly Candidate[];
}

export interface HeldAuction extends Explanation {
  readonly AuctionId: string;
  /** Its supply object. */
  readonly Entity: string;
  readonly Id: number;
  readonly Name: string;
  readonly TimeMs: number;
  readonly Country: string;
  readonly Domain: string;
  readonly AppBundle: string;
}

/** A request as the API takes it: a URL of the object with its macros filled, or a bid request. */
export type AskedRequest = { readonly Url: string } | { readonly OpenRtb: unknown };

/** A request of a text that a person has made. Throws where a bid request is no JSON. */
export const requestOf = (text: string, isUrl: boolean): AskedRequest =>
  isUrl ? { Url: text } : { OpenRtb: JSON.parse(text) as unknown };

/** Asks what would become of a request, without one of the last that was seen; with values that are not saved. */
export const explainRequest = (
  entity: ShownEntity,
  id: number,
  Request: AskedRequest | undefined,
  draft: Values,
): ApiRequest => ({
  path: 'api/exchange/explain',
  body: {
    [entity.key]: { Id: id },
    ...(Request && { Request }),
    ...(Object.keys(draft).length > 0 && { Draft: draft }),
  },
});
