import type { Imp, Video } from '../../../protocols/openrtb/objects/imp.ts';
import type { CpmMicros } from '../../money.ts';
import type { LengthFloors, Media, MediumVariant, Size } from '../../opportunity.ts';

type MediumPart = Pick<MediumVariant, 'media' | 'width' | 'height' | 'video'> & {
  readonly sizes?: readonly Size[];
  readonly lengthFloors?: LengthFloors;
};

type MicrosOf = (cpm: number) => CpmMicros;

/** Floors by an ad's length (OpenRTB 2.6 sections 3.2.7, 3.2.8 and 3.2.35). */
function lengthFloorsOf(stream: Video, microsOf: MicrosOf): LengthFloors | undefined {
  const { durfloors = [], mincpmpersec = 0, maxduration, poddur } = stream;
  if (durfloors.length === 0 && mincpmpersec === 0) return undefined;
  const ranges = durfloors.map(({ mindur = 0, maxdur = Number.POSITIVE_INFINITY, bidfloor = 0 }) => ({
    minSeconds: mindur,
    maxSeconds: maxdur,
    floorCpmMicros: microsOf(bidfloor),
  }));
  const perSecondCpmMicros = microsOf(mincpmpersec);
  return { ranges, perSecondCpmMicros, longestSeconds: maxduration || poddur || undefined };
}

function streamPart(media: 'video' | 'audio', stream: Video | undefined, microsOf: MicrosOf): MediumPart {
  const { w = 0, h = 0 } = stream ?? {};
  const lengthFloors = stream && lengthFloorsOf(stream, microsOf);
  return { media, width: w, height: h, video: stream, ...(lengthFloors && { lengthFloors }) };
}

/** Its own size first, then its formats'. Flexible formats (`wratio`) have no size. */
function sizesOf({ banner }: Imp): Size[] {
  const formats = [banner ?? {}, ...(banner?.format ?? [])];
  const sizes = formats.flatMap(({ w, h }) => (w && h ? [{ width: w, height: h }] : []));
  return [...new Map(sizes.map((size) => [`${size.width}x${size.height}`, size])).values()];
}

const unsized = { width: 0, height: 0, video: undefined };

function bannerPart(imp: Imp): MediumPart {
  const sizes = sizesOf(imp);
  return { media: 'banner', ...unsized, ...sizes[0], ...(sizes.length > 1 && { sizes }) };
}

const parts: Readonly<Record<Media, (imp: Imp, microsOf: MicrosOf) => MediumPart>> = {
  video: ({ video }, microsOf) => streamPart('video', video, microsOf),
  audio: ({ audio }, microsOf) => streamPart('audio', audio, microsOf),
  banner: bannerPart,
  native: () => ({ media: 'native', ...unsized }),
  pop: () => ({ media: 'pop', ...unsized }),
};

/** `microsOf`: of an amount in the impression's currency. */
export function mediumPart(imp: Imp, media: Media, microsOf: MicrosOf): MediumPart {
  return parts[media](imp, microsOf);
}
