const namesShownMax = 12;
const charactersShownMax = 40;

/** Letters and digits. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Short enough for an error. */
export const shortened = (text: string): string =>
  text.length > charactersShownMax ? `${text.slice(0, charactersShownMax)}…` : text;

/** The first ones, for an error. */
export const nameList = (names: readonly string[]): string =>
  names.slice(0, namesShownMax).map(shortened).join(', ') + (names.length > namesShownMax ? ', …' : '');
