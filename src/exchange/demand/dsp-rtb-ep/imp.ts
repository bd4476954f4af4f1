import type { Audio, Banner, Imp, Video } from '../../../protocols/openrtb/bid-request.ts';
import { nativeRequest } from '../../../protocols/openrtb/native-request.ts';
import type { PassedMembers } from '../../../protocols/openrtb/passed-members.ts';
import { cpmMicrosOf, cpmUsdOf } from '../../money.ts';
import type { Media, Opportunity, Size, VideoPlacement } from '../../opportunity.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { joined, listIfAny, numberIfKnown, withPassed } from './if-known.ts';
import { supplyPart } from './supply-part.ts';

/** ID of the only impression in our bid requests: an opportunity is one impression. */
export const impId = '1';

/** `plcmt` (AdCOM, list Plcmt Subtypes - Video) for each deprecated `placement`. */
const plcmtOfPlacement: Readonly<Record<number, number>> = { 1: 1, 2: 4, 3: 4, 4: 4, 5: 3 };

/** A player that declares nothing of its placement. */
const undeclared: VideoPlacement = {
  linearity: 0,
  placement: 0,
  minDuration: 0,
  maxDuration: 0,
  startDelay: undefined,
  mimes: [],
  series: '',
  season: '',
  context: '',
};

const isWhole = ({ width, height }: Size) => width > 0 && height > 0;

/** Creative attributes that the supply object or the request blocks. */
function battrOf({ blocks }: Opportunity, supply: Supply): readonly number[] | undefined {
  return joined(supplyPart(supply).battr, blocks?.attributes);
}

function bannerOf(opportunity: Opportunity, supply: Supply): Banner {
  const { width, height, sizes = [opportunity], position } = opportunity;
  const part = supplyPart(supply);
  const formats = sizes.filter(isWhole).map((size) => ({ w: size.width, h: size.height }));
  return {
    w: numberIfKnown(width),
    h: numberIfKnown(height),
    format: listIfAny(formats),
    battr: battrOf(opportunity, supply),
    pos: numberIfKnown(position || part.position),
    mimes: listIfAny(part.mimes),
  };
}

/** The request's own list of MIME types, else the supply object's, else `usual`, which every player takes. */
function mimesOf(asked: readonly string[], supply: Supply, usual: string): readonly string[] {
  return listIfAny(asked) ?? listIfAny(supplyPart(supply).mimes) ?? [usual];
}

function videoOf(opportunity: Opportunity, supply: Supply): Video {
  const { video = undeclared, width, height, position } = opportunity;
  const part = supplyPart(supply);
  const placement = video.placement || part.placement;
  return {
    mimes: mimesOf(video.mimes, supply, 'video/mp4'),
    minduration: numberIfKnown(video.minDuration),
    maxduration: numberIfKnown(video.maxDuration),
    startdelay: video.startDelay,
    protocols: video.protocols ?? part.protocols,
    w: numberIfKnown(width),
    h: numberIfKnown(height),
    placement: numberIfKnown(placement),
    plcmt: video.plcmt ?? plcmtOfPlacement[placement],
    linearity: numberIfKnown(video.linearity || part.linearity),
    skip: video.skip,
    pos: numberIfKnown(position || part.position),
    battr: battrOf(opportunity, supply),
    api: video.apis,
    playbackmethod: video.playbackMethods,
    delivery: video.delivery,
  };
}

function audioOf(opportunity: Opportunity, supply: Supply): Audio {
  const { video = undeclared } = opportunity;
  return {
    mimes: mimesOf(video.mimes, supply, 'audio/mpeg'),
    minduration: numberIfKnown(video.minDuration),
    maxduration: numberIfKnown(video.maxDuration),
    startdelay: video.startDelay,
    protocols: video.protocols ?? supplyPart(supply).protocols,
    battr: battrOf(opportunity, supply),
  };
}

type Offer = Partial<Pick<Imp, 'banner' | 'video' | 'audio' | 'native' | 'instl' | 'ext'>>;

/**
 * The members of an impression that depend on its medium. OpenRTB does not know pops; by convention a pop is a
 * full-screen impression without a medium, whose extension names the type.
 */
const offers: Readonly<Record<Media, (opportunity: Opportunity, supply: Supply) => Offer>> = {
  video: (opportunity, supply) => ({ video: videoOf(opportunity, supply) }),
  banner: (opportunity, supply) => ({ banner: bannerOf(opportunity, supply) }),
  audio: (opportunity, supply) => ({ audio: audioOf(opportunity, supply) }),
  native: (opportunity, supply) => ({
    native: {
      request: opportunity.nativeRequest ?? nativeRequest,
      // A native request that came with the bid request has its own `ver`, which is passed on with other members.
      ver: opportunity.nativeRequest === undefined ? '1.2' : undefined,
      battr: battrOf(opportunity, supply),
    },
  }),
  pop: () => ({ instl: 1, ext: { type: 'popunder' } }),
};

/** The impression's members that are passed on, with an `exp` no longer than we accept the impression. */
function withinExpiry(passed: PassedMembers | undefined, expirySeconds: number): PassedMembers | undefined {
  const { exp } = passed ?? {};
  return typeof exp === 'number' && exp > expirySeconds ? { ...passed, exp: expirySeconds } : passed;
}

/** The impression that an opportunity offers. */
export function impOf(opportunity: Opportunity, supply: Supply, expirySeconds: number): Imp {
  const { tagid, displaymanager, floorFactor } = supplyPart(supply);
  const floor = cpmUsdOf(opportunity.floorCpmMicros) * floorFactor;
  const offer = offers[opportunity.media](opportunity, supply);
  const { passed } = opportunity;
  const imp: Imp = {
    id: impId,
    banner: offer.banner && withPassed(offer.banner, passed?.banner),
    video: offer.video && withPassed(offer.video, passed?.video),
    audio: offer.audio && withPassed(offer.audio, passed?.audio),
    native: offer.native && withPassed(offer.native, passed?.native),
    displaymanager,
    instl: offer.instl ?? (opportunity.isInterstitial ? 1 : undefined),
    tagid,
    bidfloor: cpmUsdOf(cpmMicrosOf(floor)),
    bidfloorcur: 'USD',
    secure: opportunity.isSecure ? 1 : 0,
    exp: expirySeconds,
    ext: offer.ext,
  };
  return withPassed(imp, withinExpiry(passed?.imp, expirySeconds));
}
