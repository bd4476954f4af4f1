import { SaxesParser, type SaxesTagNS } from 'saxes';
import { isBrowserNamespace } from './browser-namespace.ts';

/** With its place in the text, as indexes of UTF-16 units. */
export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  /** Includes the colon; `""` = none. */
  readonly prefix: string;
  /** Without prefix, in lower case: case does not matter in reading. */
  readonly key: string;
  /** By name without prefix, in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Declared here, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** Its own text and CDATA, trimmed. */
  text: string;
  /** From the `<` of its start tag … */
  readonly start: number;
  /** … whose `>` ends here … */
  readonly contentStart: number;
  /** … to the `<` of its end tag (or to the `/>`) … */
  contentEnd: number;
  end: number;
  readonly isSelfClosing: boolean;
}

export type XmlFault = 'empty' | 'malformed' | 'doctype' | 'too_long' | 'too_many_nodes' | 'too_deep';

/** Nodes are elements and attributes. Reading more would delay everyone else's auction. */
export const xmlBounds = { charactersMax: 256 * 1024, nodesMax: 5000, depthMax: 64 };

/** `declaredEncoding`: `""` if none was declared. */
export interface XmlTree {
  readonly root: XmlElement;
  /** Of namespaces that browsers know, in document order. */
  readonly foreign: readonly XmlElement[];
  readonly declaredEncoding: string;
  /** 0 if there is none. */
  readonly declarationEnd: number;
}

class XmlRefused extends Error {
  readonly fault: XmlFault;
  constructor(fault: XmlFault) {
    super(fault);
    this.fault = fault;
  }
}

const none: ReadonlyMap<string, string> = new Map();

/** Most elements have none, and share one empty map. */
function attributesOf({ attributes: met }: SaxesTagNS): ReadonlyMap<string, string> {
  let attributes: Map<string, string> | undefined;
  for (const name in met) {
    const attribute = met[name];
    if (!attribute) continue;
    attributes ??= new Map();
    attributes.set(attribute.local.toLowerCase(), attribute.value);
  }
  return attributes ?? none;
}

function elementOf(tag: SaxesTagNS, start: number, contentStart: number): XmlElement {
  return {
    name: tag.name,
    prefix: tag.prefix === '' ? '' : `${tag.prefix}:`,
    key: tag.local.toLowerCase(),
    attributes: attributesOf(tag),
    namespaces: tag.ns,
    children: [],
    text: '',
    start,
    contentStart,
    contentEnd: contentStart,
    end: contentStart,
    isSelfClosing: tag.isSelfClosing,
  };
}

function declarationEndOf(text: string): number {
  return text.startsWith('<?xml') ? text.indexOf('?>') + 2 : 0;
}

function treeOf(text: string): XmlTree {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const open: XmlElement[] = [];
  const foreign: XmlElement[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  const countNode = () => {
    nodes += 1;
    if (nodes > xmlBounds.nodesMax) throw new XmlRefused('too_many_nodes');
  };
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  };
  // Six listeners: with a seventh V8 keeps the parser's fields in a dictionary, five times slower.
  parser.on('doctype', () => {
    throw new XmlRefused('doctype');
  });
  parser.on('attribute', countNode);
  parser.on('opentag', (tag) => {
    countNode();
    if (open.length >= xmlBounds.depthMax) throw new XmlRefused('too_deep');
    const element = elementOf(tag, text.lastIndexOf('<', parser.position - 1), parser.position);
    root ??= element;
    if (isBrowserNamespace(tag.uri)) foreign.push(element);
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element === undefined) return;
    element.text = element.text.trim();
    element.end = parser.position;
    element.contentEnd = element.isSelfClosing ? element.end - 2 : text.lastIndexOf('<', element.end - 1);
  });
  parser.write(text);
  const { encoding = '' } = parser.xmlDecl;
  // `close` resets the parser, so the encoding has to be taken first.
  parser.close();
  if (root === undefined) throw new XmlRefused('malformed');
  return { root, foreign, declaredEncoding: encoding, declarationEnd: declarationEndOf(text) };
}

/** Strict XML 1.0 with namespaces: no DOCTYPE, only XML's own entities. Never throws. */
export function readXml(text: string): XmlTree | XmlFault {
  if (text.length > xmlBounds.charactersMax) return 'too_long';
  if (text.trim() === '') return 'empty';
  try {
    return treeOf(text);
  } catch (error) {
    return error instanceof XmlRefused ? error.fault : 'malformed';
  }
}

export function childrenOf(element: XmlElement, key: string): XmlElement[] {
  return element.children.filter((child) => child.key === key);
}

export function childOf(element: Pick<XmlElement, 'children'>, key: string): XmlElement | undefined {
  return element.children.find((child) => child.key === key);
}

export function descendantsOf(element: XmlElement, found: XmlElement[] = []): XmlElement[] {
  for (const child of element.children) {
    found.push(child);
    descendantsOf(child, found);
  }
  return found;
}
