import type { TargetedObject } from '../configuration.ts';
import { refuse } from '../reasons.ts';
import type { CheckRule, Lists } from './rule.ts';

function modeOf(object: TargetedObject): 0 | 1 | 2 {
  const mode = object.settings.KeywordBlacklistsType;
  return mode === 1 || mode === 2 ? mode : 0;
}

function firstKeyword(ids: readonly number[], lists: Lists, query: string, mode: 0 | 1 | 2) {
  for (const id of ids) {
    const keyword = lists.keyword(id, query, mode);
    if (keyword !== undefined) return keyword;
  }
  return undefined;
}

/** 0 the whole query, 1 as a phrase in it, 2 all words of it. */
export const keyword: CheckRule = {
  form: 'check',
  field: 'KeywordBlacklists',
  kind: 'KeywordList',
  reason: 'keyword_listed',
  compile(object, lists) {
    const own = object.connections.KeywordBlacklists ?? [];
    const mode = modeOf(object);
    return ({ query }) => {
      if (query === '') return undefined;
      const keyword =
        firstKeyword(own, lists, query, mode) ??
        firstKeyword(lists.global('KeywordList', object.teamId), lists, query, mode);
      if (keyword === undefined) return undefined;
      return refuse('keyword_listed', {
        field: 'KeywordBlacklists',
        wanted: { not: [keyword] },
        met: keyword,
      });
    };
  },
};
