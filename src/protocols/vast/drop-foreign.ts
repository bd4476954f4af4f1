import type { XmlElement, XmlTree } from './xml-tree.ts';

const namesMax = 20;
const nameCharactersMax = 64;

/** May contain `<` without being an element. */
const noElement = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>/g;
const styleSheet = '<?xml-stylesheet';

/** With its name for people. */
type Part = Pick<XmlElement, 'name' | 'start' | 'end'>;

function styleSheetsIn(text: string): Part[] {
  if (!text.includes(styleSheet)) return [];
  return [...text.matchAll(noElement)]
    .filter(([part]) => part.startsWith(styleSheet))
    .map(({ 0: part, index }) => ({ name: '?xml-stylesheet', start: index, end: index + part.length }));
}

/**
 * Drops what browsers would run or render: elements of their namespaces, and style sheets. `dropped`: at most twenty
 * names. Undefined if there is nothing to drop.
 */
export function dropForeign(
  text: string,
  { foreign }: XmlTree,
): { readonly text: string; readonly dropped: readonly string[] } | undefined {
  const parts: readonly Part[] = [...foreign, ...styleSheetsIn(text)];
  if (parts.length === 0) return undefined;
  let left = '';
  let at = 0;
  for (const { start, end } of parts.toSorted((one, other) => one.start - other.start)) {
    if (start >= at) left += text.slice(at, start);
    at = Math.max(at, end);
  }
  const names = new Set(parts.map(({ name }) => name.slice(0, nameCharactersMax)));
  return { text: left + text.slice(at), dropped: [...names].slice(0, namesMax) };
}
