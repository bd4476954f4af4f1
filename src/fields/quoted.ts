const charactersShown = 80;

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Quoted, cut after 80 characters, with escapes for what is invisible. */
export function quoted(text: string): string {
  const shown = text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text;
  const safe = shown.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  return `"${safe}"`;
}
