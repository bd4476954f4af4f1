import type { ListKind } from '../../entities/kinds.ts';
import { appsOn, compileApps, type TextMatcher } from './app-matcher.ts';
import { compileDomains, domainsOn } from './domain-matcher.ts';
import { compileIps, type IpMatcher, ipsOn } from './ip-matcher.ts';
import { compileKeywords, type KeywordMatcher, keywordsOn } from './keyword-matcher.ts';

export interface Matchers {
  readonly DomainList: TextMatcher;
  readonly AppList: TextMatcher;
  readonly IpList: IpMatcher;
  readonly KeywordList: KeywordMatcher;
}

/** Text parts may end anywhere. Lines are stored checked. */
export const compileList: {
  readonly [K in ListKind]: (parts: AsyncIterable<string>) => Promise<Matchers[K]>;
} = {
  DomainList: compileDomains,
  AppList: compileApps,
  IpList: compileIps,
  KeywordList: compileKeywords,
};

export const matcherOn: {
  readonly [K in ListKind]: (memory: Matchers[K]['memory']) => Matchers[K];
} = {
  DomainList: domainsOn,
  AppList: appsOn,
  IpList: ipsOn,
  KeywordList: keywordsOn,
};
