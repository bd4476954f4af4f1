import { dropForeign } from './drop-foreign.ts';
import { readXml } from './xml-tree.ts';

/**
 * A document in DAAST 1.0, which came before VAST took audio in, without what browsers would run or render. Undefined
 * for a text that is none, or not well-formed.
 */
export function readDaast(received: string): string | undefined {
  const text = received.trim();
  const tree = readXml(text);
  if (typeof tree === 'string' || tree.root.key !== 'daast' || tree.foreign.includes(tree.root)) return;
  return dropForeign(text, tree)?.text ?? text;
}
