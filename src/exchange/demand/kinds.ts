import type { DemandKindName } from '../../entities/kinds.ts';
import { campaign } from './campaign/campaign.ts';
import type { DemandKind } from './demand-kind.ts';
import { dspPopFeed } from './dsp-pop-feed/dsp-pop-feed.ts';
import { dspRtbEp } from './dsp-rtb-ep/dsp-rtb-ep.ts';
import { dspVastTag } from './dsp-vast-tag/dsp-vast-tag.ts';

export const kinds: Readonly<Record<DemandKindName, DemandKind>> = {
  Campaign: campaign,
  DspVastTag: dspVastTag,
  DspRtbEp: dspRtbEp,
  DspPopFeed: dspPopFeed,
};
