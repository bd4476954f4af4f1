import type { ReceivedImp, ReceivedRequest } from '../../../protocols/openrtb/received-request.ts';
import type { Media, Opportunity, Size, VideoPlacement } from '../../opportunity.ts';
import { listOrNone, numberOrZero, orUndefined, textOr } from './optional-members.ts';

type Content = NonNullable<ReceivedRequest['site']>['content'];
type Stream = NonNullable<ReceivedImp['video']>;

/** The part of an opportunity that depends on the impression and the medium chosen for it. */
export type MediumPart = Pick<
  Opportunity,
  'media' | 'width' | 'height' | 'sizes' | 'position' | 'video' | 'nativeRequest'
>;

/**
 * The deprecated `placement` for each `plcmt` (AdCOM, list Plcmt Subtypes - Video) that has one of the same meaning.
 */
const placementOfPlcmt: Readonly<Record<number, number>> = { 1: 1, 3: 5 };

function streamOf(stream: Stream, content: Content): VideoPlacement {
  const { skip } = stream;
  const plcmt = orUndefined(stream.plcmt);
  return {
    linearity: numberOrZero(stream.linearity),
    placement: numberOrZero(stream.placement ?? placementOfPlcmt[numberOrZero(plcmt)]),
    minDuration: numberOrZero(stream.minduration),
    maxDuration: numberOrZero(stream.maxduration),
    startDelay: orUndefined(stream.startdelay),
    mimes: listOrNone(stream.mimes),
    series: textOr(content?.series),
    season: textOr(content?.season),
    context: String(content?.context ?? ''),
    ...(typeof skip === 'number' && { skip }),
    plcmt,
    protocols: orUndefined(stream.protocols),
    apis: orUndefined(stream.api),
    playbackMethods: orUndefined(stream.playbackmethod),
    delivery: orUndefined(stream.delivery),
  };
}

const unsized = { width: 0, height: 0, video: undefined };

function streamPart(
  media: 'video' | 'audio',
  stream: Stream | null | undefined,
  content: Content,
): MediumPart {
  const { w, h, pos } = stream ?? {};
  const video = stream ? streamOf(stream, content) : undefined;
  return { media, width: w ?? 0, height: h ?? 0, position: numberOrZero(pos), video };
}

/** The sizes of a banner: its own first, then those of its formats. Flexible formats (`wratio`) have no size. */
function sizesOf({ banner }: ReceivedImp): Size[] {
  const { w, h, format } = banner ?? {};
  const formats = [{ w, h }, ...(format ?? [])];
  const sizes = formats.flatMap(({ w: width, h: height }) => (width && height ? [{ width, height }] : []));
  return [...new Map(sizes.map((size) => [`${size.width}x${size.height}`, size])).values()];
}

function bannerPart(imp: ReceivedImp): MediumPart {
  const sizes = sizesOf(imp);
  const first = sizes[0] ?? { width: 0, height: 0 };
  const position = numberOrZero(imp.banner?.pos);
  return { media: 'banner', ...first, position, video: undefined, ...(sizes.length > 1 && { sizes }) };
}

type PartOf = (imp: ReceivedImp, content: Content) => MediumPart;

/** How an impression is read, by the medium that is chosen for it. */
const parts: Readonly<Record<Media, PartOf>> = {
  video: ({ video }, content) => streamPart('video', video, content),
  audio: ({ audio }, content) => streamPart('audio', audio, content),
  banner: bannerPart,
  native: ({ native }) => ({ media: 'native', ...unsized, ...(native && { nativeRequest: native.request }) }),
  pop: () => ({ media: 'pop', ...unsized }),
};

/** The impression's part of an opportunity of a medium; `content` is that of the site or app. */
export function mediumPart(imp: ReceivedImp, media: Media, content: Content): MediumPart {
  return parts[media](imp, content);
}
