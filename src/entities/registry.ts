import { advertiser } from './advertiser.ts';
import { appList } from './app-list.ts';
import { bannerEp } from './banner-ep.ts';
import { campaign } from './campaign.ts';
import { domainList } from './domain-list.ts';
import { dspPopFeed } from './dsp-pop-feed.ts';
import { dspRtbEp } from './dsp-rtb-ep.ts';
import { dspVastTag } from './dsp-vast-tag.ts';
import type { Entity } from './entity.ts';
import { ipList } from './ip-list.ts';
import { keywordList } from './keyword-list.ts';
import { popFeed } from './pop-feed.ts';
import { publisher } from './publisher.ts';
import { rtbEp } from './rtb-ep.ts';
import { tag } from './tag.ts';
import { vastTag } from './vast-tag.ts';

const declared = [
  publisher,
  advertiser,
  vastTag,
  dspVastTag,
  rtbEp,
  dspRtbEp,
  popFeed,
  dspPopFeed,
  campaign,
  bannerEp,
  domainList,
  appList,
  ipList,
  keywordList,
  tag,
] as const;

/** Each entity with its exact type. */
export type Declared = (typeof declared)[number];

/** Every entity of the exchange. */
export const entities: readonly Entity[] = declared;

const byKey = new Map(entities.map((entity) => [entity.key, entity]));

/** The entity of that key. Throws when there is none, which is a mistake in a field table. */
export function entityOf(key: string): Entity {
  const entity = byKey.get(key);
  if (!entity) throw new Error(`no entity has the key ${key}`);
  return entity;
}
