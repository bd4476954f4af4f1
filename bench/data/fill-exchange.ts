import type { Api } from './api.ts';
import { dspVastTag, type RelatedIds } from './dsp-vast-tag.ts';
import { publisher } from './publisher.ts';

const atATime = 64;

async function addMany(count: number, add: (index: number) => Promise<number>): Promise<number[]> {
  const ids = new Array<number>(count);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) ids[index] = await add(index);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return ids;
}

/** Adds an advertiser, and supply and lists for its tags. */
export async function addRelatedObjects(api: Api): Promise<RelatedIds> {
  const list = (path: string, wrapper: string, text: string) => (index: number) =>
    api.add(path, wrapper, { Name: `List ${index}`, ListText: text });
  const seller = publisher('bench');
  const { PlatformDomain, SellersJsonDomain, SellerType, SellerId, ...buyer } = seller;
  const PublisherId = await api.add('publisher', 'Publisher', seller);
  return {
    advertiser: await api.add('advertiser', 'Advertiser', { ...buyer, Username: 'brand' }),
    vastTags: await addMany(5, (index) =>
      api.add('ortb/vasttag', 'VastTag', { PublisherId, Name: `Pre-roll ${index}` }),
    ),
    rtbEps: await addMany(3, (index) =>
      api.add('ortb/rtbep', 'RtbEp', { PublisherId, Name: `Endpoint ${index}` }),
    ),
    tags: await addMany(2, (index) => api.add('tag', 'Tag', { Name: `Tag ${index}` })),
    domainLists: await addMany(2, list('domainlist', 'DomainList', 'one.example\ntwo.example')),
    appLists: await addMany(1, list('applist', 'AppList', 'com.example.one\n1234567890')),
    ipLists: await addMany(1, list('iplist', 'IpList', '192.0.2.0/24\n2001:db8::/32')),
  };
}

/** Adds `count` DSP VAST Tags, and gives their IDs. */
export function addDspVastTags(api: Api, related: RelatedIds, count: number): Promise<number[]> {
  return addMany(count, (index) => api.add('ortb/dspvasttag', 'DspRtbEp', dspVastTag(related, index)));
}
