import { identity, lineCount, state } from '../fields/derived.ts';
import { keywordLines } from '../fields/line-codecs.ts';
import { listText } from '../fields/list-text.ts';
import { defineEntity } from './entity.ts';
import { listRows } from './list-rows.ts';

/** Keywords to block. */
export const keywordList = defineEntity({
  key: 'KeywordList',
  title: 'Keyword List',
  wrapper: 'KeywordList',
  path: 'keywordlist',
  documented: [],
  fields: {
    ...identity,
    Name: listRows.Name,
    KeywordCount: lineCount('entries', 'Number of keywords'),
    Global: listRows.Global,
    ...state,
    ListText: listText({ codec: keywordLines, help: 'Keywords, one a line' }),
  },
});
