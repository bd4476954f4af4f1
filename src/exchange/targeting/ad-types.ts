import { adTypes as known } from '../../reference/ad-types.ts';
import { ownMember } from '../../reference/own-member.ts';
import { onlyKeys, singleKey } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** Of a deal; none listed: all. */
export const adTypes: KeyRule = {
  form: 'keys',
  field: 'AdTypes',
  reason: 'media_not_enabled',
  keysOf: ({ media }) => singleKey(media),
  restriction: ({ settings }) =>
    onlyKeys((settings.AdTypes ?? []).flatMap((code) => ownMember(known, String(code))?.medium ?? [])),
};
