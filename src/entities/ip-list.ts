import { identity, lineCount, status } from '../fields/derived.ts';
import { ipLines } from '../fields/line-codecs.ts';
import { listText } from '../fields/list-text.ts';
import { section } from '../fields/section.ts';
import { defineEntity } from './entity.ts';
import { listRows } from './list-rows.ts';

export const ipList = defineEntity({
  key: 'IpList',
  title: 'IP List',
  help: 'a list of IP addresses and ranges that objects block',
  wrapper: 'IpList',
  path: 'iplist',
  exchange: { side: 'list' },
  documented: ['update'],
  fields: {
    ...identity,
    Name: listRows.Name,
    ...section('General', {
      IpCount: lineCount('entries', 'Number of single addresses'),
      IpRangesCount: lineCount('ranges', 'Number of ranges'),
    }),
    Global: listRows.Global,
    ...status,
    ...section('Lists', {
      ListText: listText({ codec: ipLines, help: 'IP addresses and ranges (CIDR or a-b), one per line' }),
    }),
  },
});
