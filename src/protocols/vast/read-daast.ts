import { dropForeign } from './drop-foreign.ts';
import { readXml } from './xml-tree.ts';

/** DAAST 1.0, without what browsers would run or render. Undefined if it is none or not well-formed. */
export function readDaast(received: string): string | undefined {
  const text = received.trim();
  const tree = readXml(text);
  if (typeof tree === 'string' || tree.root.key !== 'daast' || tree.foreign.includes(tree.root)) return;
  return dropForeign(text, tree)?.text ?? text;
}
