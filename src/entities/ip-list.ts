import { identity, lineCount, status } from '../fields/derived.ts';
import { forDelivery } from '../fields/field.ts';
import { ipLines } from '../fields/line-codecs.ts';
import { listText } from '../fields/list-text.ts';
import { choice } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { defineEntity } from './entity.ts';
import { listRows } from './list-rows.ts';

export const ipList = defineEntity({
  key: 'IpList',
  title: 'IP List',
  help: 'a list of IP addresses and ranges that objects refuse',
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
    ...section('General', {
      Kind: forDelivery(
        choice({
          codes: { 0: 'Block', 1: 'Invalid traffic', 2: 'Data centres and proxies' },
          explanation:
            'Invalid traffic, data centres and proxies count as invalid traffic of the supply object',
          help: 'Why its addresses are refused: 1 and 2 count as invalid traffic of the supply object (Invalid, MaxIvt)',
        }),
      ),
    }),
    ...status,
    ...section('Lists', {
      ListText: listText({ codec: ipLines, help: 'IP addresses and ranges (CIDR or a-b), one per line' }),
    }),
  },
});
