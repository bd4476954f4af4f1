import { advertiser } from './advertiser.ts';
import { alert } from './alert.ts';
import { appList } from './app-list.ts';
import { bannerEp } from './banner-ep.ts';
import { campaign } from './campaign.ts';
import { type Connected, connected } from './connected.ts';
import { deal } from './deal.ts';
import { domainList } from './domain-list.ts';
import { dspPopFeed } from './dsp-pop-feed.ts';
import { dspRtbEp } from './dsp-rtb-ep.ts';
import { dspVastTag } from './dsp-vast-tag.ts';
import type { Entity } from './entity.ts';
import { floorRule } from './floor-rule.ts';
import { ipList } from './ip-list.ts';
import { keywordList } from './keyword-list.ts';
import { popFeed } from './pop-feed.ts';
import { publisher } from './publisher.ts';
import { report } from './report.ts';
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
  campaign,
  popFeed,
  dspPopFeed,
  bannerEp,
  deal,
  floorRule,
  domainList,
  appList,
  ipList,
  keywordList,
  tag,
  report,
  alert,
] as const;

/** With exact types. */
export type Declared = (typeof declared)[number];

export type EntityKey = Declared['key'];

type ByKey = { readonly [E in Declared as E['key']]: Connected<E, Declared> };

/** With its exact type and all fields. */
export type EntityOf<Key extends EntityKey> = ByKey[Key];

export const entities: readonly Entity[] = connected(declared);

const byKey = new Map(entities.map((entity) => [entity.key, entity]));

/** Throws if there is none, which is a mistake in a field table. */
export function entityOf<Key extends string>(key: Key): Key extends EntityKey ? EntityOf<Key> : Entity {
  const entity = byKey.get(key);
  if (!entity) throw new Error(`no entity has the key ${key}`);
  return entity as Key extends EntityKey ? EntityOf<Key> : Entity;
}
