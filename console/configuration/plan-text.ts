const charactersMax = 2000;
const itemsShown = 20;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

function listText(items: readonly unknown[]): string {
  const more = items.length - itemsShown;
  const shown = items.slice(0, itemsShown).map(textOf).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** A value of a document as it is and as it is to be, as people read it; of long lists, what comes and what goes. */
export function changeTexts(before: unknown, after: unknown): { before: string; after: string } {
  if (!Array.isArray(before) || !Array.isArray(after))
    return { before: textOf(before), after: textOf(after) };
  if (before.length + after.length <= itemsShown) return { before: listText(before), after: listText(after) };
  const [old, next] = [new Set(before.map(textOf)), new Set(after.map(textOf))];
  const [gone, come] = [[...old.difference(next)], [...next.difference(old)]];
  const changes = [
    ...(come.length > 0 ? [`with ${listText(come)}`] : []),
    ...(gone.length > 0 ? [`without ${listText(gone)}`] : []),
  ];
  return {
    before: `${before.length} entries`,
    after: `${after.length} entries, ${changes.join(', ') || 'in another order'}`,
  };
}
