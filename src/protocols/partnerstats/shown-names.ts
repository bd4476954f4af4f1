const namesShownMax = 12;
const charactersShownMax = 40;

/** A name of a column in small letters and digits alone. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The beginning of a partner's text, as errors show it. */
export const shortened = (text: string): string =>
  text.length > charactersShownMax ? `${text.slice(0, charactersShownMax)}…` : text;

/** The first of some names, as errors show them. */
export const nameList = (names: readonly string[]): string =>
  names.slice(0, namesShownMax).map(shortened).join(', ') + (names.length > namesShownMax ? ', …' : '');
