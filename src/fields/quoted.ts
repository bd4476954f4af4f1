const charactersShown = 80;

/** A code unit as JSON escapes it. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A text from outside as messages show it: quoted, cut after 80 characters, with escapes for what is not visible. */
export function quoted(text: string): string {
  const shown = text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text;
  const safe = shown.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  return `"${safe}"`;
}
