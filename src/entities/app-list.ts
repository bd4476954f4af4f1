import { identity, lineCount, state } from '../fields/derived.ts';
import { applicationLines } from '../fields/line-codecs.ts';
import { listText } from '../fields/list-text.ts';
import { defineEntity } from './entity.ts';
import { listRows, usedBy } from './list-rows.ts';

/** Application identifiers to block or allow (specification 2.10). */
export const appList = defineEntity({
  key: 'AppList',
  title: 'App List',
  wrapper: 'AppList',
  path: 'applist',
  documented: ['get'],
  fields: {
    ...identity,
    Name: listRows.Name,
    ...usedBy('AppsList', {
      VastTags: 'VastTag',
      RtbEps: 'RtbEp',
      DspRtbEps: 'DspRtbEp',
      Campaigns: 'Campaign',
    }),
    AppCount: lineCount('entries', 'Number of application identifiers'),
    Global: listRows.Global,
    ...state,
    ListText: listText({ codec: applicationLines, help: 'Application identifiers, one a line' }),
  },
});
