import type { Imp } from './objects/imp.ts';

const standardMedia = ['video', 'banner', 'native', 'audio'] as const;
const popWord = /^pop/i;

/**
 * The media that an impression allows (OpenRTB 2.6 section 3.2.4). By convention an impression without a medium is a pop
 * if it covers the screen (`instl`) or its extension says so (`"type": "popunder"`, `"pop": 1`).
 */
export function mediaOf(imp: Imp): readonly ((typeof standardMedia)[number] | 'pop')[] {
  const media = standardMedia.filter((name) => imp[name]);
  if (media.length > 0) return media;
  const { type = '', pop } = imp.ext ?? {};
  return popWord.test(type) || pop === 1 || imp.instl === 1 ? ['pop'] : [];
}
