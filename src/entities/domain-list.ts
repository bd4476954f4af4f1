import { identity, lineCount, status } from '../fields/derived.ts';
import { domainLines } from '../fields/line-codecs.ts';
import { listText } from '../fields/list-text.ts';
import { section } from '../fields/section.ts';
import { defineEntity } from './entity.ts';
import { listRows } from './list-rows.ts';

export const domainList = defineEntity({
  key: 'DomainList',
  title: 'Domain List',
  help: 'a list of domains that objects block or allow',
  wrapper: 'DomainList',
  path: 'domainlist',
  exchange: { side: 'list' },
  documented: ['update', 'get'],
  fields: {
    ...identity,
    Name: listRows.Name,
    ...section('General', { DomainCount: lineCount('entries', 'Number of domains') }),
    Global: listRows.Global,
    ...status,
    ...section('Lists', { ListText: listText({ codec: domainLines, help: 'Domains, one per line' }) }),
  },
});
