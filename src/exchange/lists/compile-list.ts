import type { ListKind } from '../../entities/kinds.ts';
import { compileApps, type TextMatcher } from './app-matcher.ts';
import { compileDomains } from './domain-matcher.ts';
import { compileIps, type IpMatcher } from './ip-matcher.ts';
import { compileKeywords, type KeywordMatcher } from './keyword-matcher.ts';

/** What each kind of list is compiled to. */
export interface Matchers {
  readonly DomainList: TextMatcher;
  readonly AppList: TextMatcher;
  readonly IpList: IpMatcher;
  readonly KeywordList: KeywordMatcher;
}

/** How each kind of list is compiled from its text, whose parts may end anywhere. Lines are stored checked. */
export const compileList: {
  readonly [K in ListKind]: (parts: AsyncIterable<string>) => Promise<Matchers[K]>;
} = {
  DomainList: compileDomains,
  AppList: compileApps,
  IpList: compileIps,
  KeywordList: compileKeywords,
};
