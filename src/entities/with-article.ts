import type { Entity } from './entity.ts';

/** As `a VAST Tag`. */
export function withArticle({ title }: Pick<Entity, 'title'>): string {
  // Initials are read letter by letter: "an RTB EP", "an XML Pop Feed", but "a DSP RTB EP".
  return `${/^([AEIO]|RTB|XML)/.test(title) ? 'an' : 'a'} ${title}`;
}
