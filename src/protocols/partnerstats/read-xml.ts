import { SaxesParser } from 'saxes';
import { UnreadableStatistics } from './unreadable-statistics.ts';

/** Nodes are elements and attributes. */
const nodesMax = 400_000;
const depthMax = 32;

type Row = Readonly<Record<string, string>>;

/** By the path of their elements, with attributes and texts outside of them. */
export interface XmlRows {
  readonly found: ReadonlyMap<string, readonly Row[]>;
  readonly values: readonly (readonly [name: string, value: string])[];
}

interface Open {
  readonly path: string;
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Names and texts of elements that hold only text, then their attributes. */
  readonly leaves: (readonly [name: string, value: string])[];
  hasOthers: boolean;
  text: string;
}

/** The first of each name counts, so that no attribute hides a figure. */
function rowOf({ attributes, leaves }: Open): Row {
  const members = new Map<string, string>();
  for (const [name, value] of [...attributes, ...leaves]) if (!members.has(name)) members.set(name, value);
  return Object.fromEntries(members);
}

/** Strict XML, no DOCTYPE. A row's values are attributes and children's texts. Throws `UnreadableStatistics`. */
export function xmlRows(text: string): XmlRows {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const open: Open[] = [];
  const found = new Map<string, Row[]>();
  const values: (readonly [string, string])[] = [];
  let nodes = 0;
  const countNodes = (more: number) => {
    nodes += more;
    if (nodes > nodesMax)
      throw new UnreadableStatistics(`the XML has more than ${nodesMax} elements and attributes`);
  };
  parser.on('doctype', () => {
    throw new UnreadableStatistics('the answer is HTML, or XML with a DOCTYPE, which is not read');
  });
  parser.on('opentag', ({ local, attributes }) => {
    const named = Object.values(attributes).map((one) => [one.local, one.value] as const);
    countNodes(1 + named.length);
    if (open.length >= depthMax)
      throw new UnreadableStatistics(`the XML is nested more than ${depthMax} deep`);
    const above = open.at(-1);
    const path = above ? `${above.path}.${local}` : local;
    open.push({ path, name: local, attributes: named, leaves: [], hasOthers: false, text: '' });
  });
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (!element) return;
    const above = open.at(-1);
    const { path, name, attributes, leaves, hasOthers } = element;
    const value = element.text.trim();
    const isLeaf = leaves.length === 0 && !hasOthers && (value !== '' || attributes.length === 0);
    if (isLeaf) above?.leaves.push([name, value], ...attributes);
    else if (above) above.hasOthers = true;
    if (isLeaf || hasOthers) return void values.push(...attributes, ...leaves);
    const rows = found.get(path) ?? [];
    rows.push(rowOf(element));
    found.set(path, rows);
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof UnreadableStatistics) throw error;
    throw new UnreadableStatistics('the answer is HTML, or XML that is not well-formed');
  }
  return { found, values };
}
