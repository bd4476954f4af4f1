import type { Imp } from './objects/imp.ts';

/** In the order in which an impression's media stand. */
export const standardMedia = ['video', 'banner', 'native', 'audio'] as const;
const popWord = /^pop/i;

/**
 * OpenRTB 2.6 section 3.2.4; `instl` or `ext` tells a pop (reference, B3). Empty objects count only if alone: templates
 * have all media and fill in one.
 */
export function mediaOf(imp: Imp): readonly ((typeof standardMedia)[number] | 'pop')[] {
  const media = standardMedia.filter((name) => imp[name]);
  const filled = media.filter((name) => Object.keys(imp[name] ?? {}).length > 0);
  if (media.length > 0) return filled.length > 0 ? filled : media;
  const { type = '', pop } = imp.ext ?? {};
  return popWord.test(type) || pop === 1 || imp.instl === 1 ? ['pop'] : [];
}
