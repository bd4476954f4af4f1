import { identity, lineCount, status } from '../fields/derived.ts';
import { applicationLines } from '../fields/line-codecs.ts';
import { listText } from '../fields/list-text.ts';
import { section } from '../fields/section.ts';
import { defineEntity } from './entity.ts';
import { listRows } from './list-rows.ts';

export const appList = defineEntity({
  key: 'AppList',
  title: 'App List',
  help: 'a list of application identifiers that objects block or allow',
  wrapper: 'AppList',
  path: 'applist',
  exchange: { side: 'list' },
  documented: ['get'],
  fields: {
    ...identity,
    Name: listRows.Name,
    ...section('General', { AppCount: lineCount('entries', 'Number of application identifiers') }),
    Global: listRows.Global,
    ...status,
    ...section('Lists', {
      ListText: listText({ codec: applicationLines, help: 'Application identifiers, one per line' }),
    }),
  },
});
