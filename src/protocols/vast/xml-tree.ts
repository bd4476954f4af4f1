import { SaxesParser, type SaxesTagNS } from 'saxes';
import { readPlainXml } from './plain-xml.ts';
import { newElement, type XmlElement, type XmlFault, type XmlTree, xmlBounds } from './xml-element.ts';

class Refused extends Error {
  readonly fault: XmlFault;
  constructor(fault: XmlFault) {
    super(fault);
    this.fault = fault;
  }
}

function elementOf(tag: SaxesTagNS, start: number, contentStart: number): XmlElement {
  const attributes = Object.values(tag.attributes).map(
    ({ local, value }) => [local.toLowerCase(), value] as const,
  );
  const told = { attributes: new Map(attributes), namespaces: tag.ns };
  return newElement(tag.name, told, start, contentStart, tag.isSelfClosing);
}

function declarationEndOf(text: string): number {
  return text.startsWith('<?xml') ? text.indexOf('?>') + 2 : 0;
}

/** Reads any document; throws at what is not well-formed. */
function treeOf(text: string): XmlTree {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  const countNode = () => {
    nodes += 1;
    if (nodes > xmlBounds.nodesMax) throw new Refused('too_many_nodes');
  };
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  };
  // Six listeners: with a seventh V8 keeps the parser's fields in a dictionary, and it takes five times as long.
  parser.on('doctype', () => {
    throw new Refused('doctype');
  });
  parser.on('attribute', countNode);
  parser.on('opentag', (tag) => {
    countNode();
    if (open.length >= xmlBounds.depthMax) throw new Refused('too_deep');
    const element = elementOf(tag, text.lastIndexOf('<', parser.position - 1), parser.position);
    root ??= element;
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
    if (!element.isSelfClosing) element.contentEnd = text.lastIndexOf('<', element.end - 1);
  });
  parser.write(text);
  const { encoding = '' } = parser.xmlDecl;
  // Forgets all that it has read.
  parser.close();
  if (root === undefined) throw new Refused('malformed');
  return { root, declaredEncoding: encoding, declarationEnd: declarationEndOf(text) };
}

/** Reads XML by the parser that knows all of it, as `readXml` does where a document is not plain. */
export function readAnyXml(text: string): XmlTree | XmlFault {
  try {
    return treeOf(text);
  } catch (error) {
    return error instanceof Refused ? error.fault : 'malformed';
  }
}

/**
 * Reads XML strictly (XML 1.0 with namespaces). Entities but the five of XML are not known, a DOCTYPE is refused:
 * nothing is ever expanded or fetched. Never throws.
 */
export function readXml(text: string): XmlTree | XmlFault {
  if (text.length > xmlBounds.charactersMax) return 'too_long';
  if (text.trim() === '') return 'empty';
  return readPlainXml(text) ?? readAnyXml(text);
}
