import { identity, lineCount, status } from '../fields/derived.ts';
import { keywordLines } from '../fields/line-codecs.ts';
import { listText } from '../fields/list-text.ts';
import { section } from '../fields/section.ts';
import { defineEntity } from './entity.ts';
import { listRows } from './list-rows.ts';

export const keywordList = defineEntity({
  key: 'KeywordList',
  title: 'Keyword List',
  help: 'a list of keywords that Pop Feeds block',
  wrapper: 'KeywordList',
  path: 'keywordlist',
  exchange: { side: 'list' },
  documented: [],
  fields: {
    ...identity,
    Name: listRows.Name,
    ...section('General', { KeywordCount: lineCount('entries', 'Number of keywords') }),
    Global: listRows.Global,
    ...status,
    ...section('Lists', { ListText: listText({ codec: keywordLines, help: 'Keywords, one per line' }) }),
  },
});
