import { roleOf } from '../../entities/kinds.ts';
import { mediaIn } from '../media-variants.ts';
import { mediumOf } from '../medium-of.ts';
import type { Media } from '../opportunity.ts';
import { onlyKeys } from './keys.ts';
import type { KeyRestriction, KeyRule, RuleSubject } from './rule.ts';

/** The field that enables each medium (RTB EP, DSP RTB EP). */
export const mediaFlags = {
  banner: 'BannerEnabled',
  video: 'VideoEnabled',
  audio: 'AudioEnabled',
  native: 'NativeEnabled',
  pop: 'PopEnabled',
} as const satisfies Record<Media, string>;

const allMedia = Object.keys(mediaFlags) as Media[];

function hasFlags({ settings }: RuleSubject): boolean {
  return settings[mediaFlags.video] !== undefined;
}

/** A Banner EP has a medium besides the one that its flag enables. */
function byFlags({ entity, settings }: RuleSubject): KeyRestriction | undefined {
  const own = roleOf(entity).medium;
  const enabled = allMedia.filter((media) => media === own || settings[mediaFlags[media]] === 1);
  return enabled.length === allMedia.length ? undefined : { mode: 'only', keys: new Set(enabled) };
}

/** The field whose code is the medium of the demand object's ads. */
const mediumField = ({ entity }: RuleSubject) => {
  const { medium } = roleOf(entity);
  return typeof medium === 'object' ? medium.field : undefined;
};

/** By flags (none set: none), else by the demand's kind or a campaign's `Type`. Without flags supply takes all. */
export const media: KeyRule = {
  form: 'keys',
  field: 'Type',
  reason: 'media_not_enabled',
  keysOf: mediaIn,
  restriction: (object) => {
    if (hasFlags(object)) return byFlags(object);
    const medium = roleOf(object.entity).side === 'demand' ? mediumOf(object) : undefined;
    return medium && onlyKeys([medium]);
  },
  possibleKeys: (supply) => {
    const { medium } = roleOf(supply.entity);
    if (hasFlags(supply)) return byFlags(supply);
    return typeof medium === 'string' ? onlyKeys([medium]) : undefined;
  },
  fieldOf: (object, [media]) => (hasFlags(object) ? mediaFlags[media as Media] : mediumField(object)),
};
