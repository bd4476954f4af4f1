import type { Media } from '../opportunity.ts';
import { only } from './keys.ts';
import type { KeyRestriction, KeyRule, Targeted } from './rule.ts';
import { numberIn } from './stored-values.ts';

/** The field that enables each medium (RTB EP, DSP RTB EP). */
export const mediaFlags = {
  banner: 'BannerEnabled',
  video: 'VideoEnabled',
  audio: 'AudioEnabled',
  native: 'NativeEnabled',
  pop: 'PopEnabled',
} as const satisfies Record<Media, string>;

const allMedia = Object.keys(mediaFlags) as Media[];
const campaignTypes: readonly (Media | undefined)[] = [undefined, 'video', 'banner', 'pop'];

/** Kinds of demand that have one medium by their nature. */
const fixed: Readonly<Record<string, Media>> = { DspVastTag: 'video', DspPopFeed: 'pop' };

/** Doors that ask for one medium only (delivery, "The doors"). */
const asked: Readonly<Record<string, Media>> = { VastTag: 'video', PopFeed: 'pop', BannerEp: 'banner' };

function hasFlags(object: Targeted): boolean {
  return numberIn(object, mediaFlags.video) !== undefined;
}

function byFlags(object: Targeted): KeyRestriction | undefined {
  const enabled = allMedia.filter((media) => numberIn(object, mediaFlags[media]) === 1);
  return enabled.length === allMedia.length ? undefined : { mode: 'only', keys: new Set(enabled) };
}

function restriction(object: Targeted): KeyRestriction | undefined {
  if (hasFlags(object)) return byFlags(object);
  const type = object.entity === 'Campaign' ? numberIn(object, 'Type') : undefined;
  const media = fixed[object.entity] ?? campaignTypes[type ?? 0];
  return media && only([media]);
}

/**
 * The media an object takes: by its flags (RTB EP, DSP RTB EP; none set: none), a campaign by its `Type`, DSP VAST
 * Tags video, DSP Pop Feeds pops (delivery, "the media flags by imp"). Supply without flags takes what its door is for.
 */
export const media: KeyRule = {
  form: 'keys',
  field: 'Type',
  reason: 'media_not_enabled',
  keysOf: ({ media }) => [media],
  restriction,
  possibleKeys: ({ entity }) => {
    const media = asked[entity];
    return media && only([media]);
  },
  fieldOf: (object, [media]) => {
    if (hasFlags(object)) return mediaFlags[media as Media];
    return object.entity === 'Campaign' ? 'Type' : undefined;
  },
};
