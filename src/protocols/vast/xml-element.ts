/** An element with its place in the text, so that text can be put beside it. Places are indexes of UTF-16 units. */
export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  /** Prefix with its colon, or `""`. */
  readonly prefix: string;
  /** Name without prefix, in lower case: documents are read whatever their case. */
  readonly key: string;
  /** Values by name without prefix, in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Namespaces declared here, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** Its own text and CDATA, without white space around it. */
  text: string;
  /** From the `<` of its start tag … */
  readonly start: number;
  /** … whose `>` ends here … */
  readonly contentStart: number;
  /** … to the `<` of its end tag (where there is none: to the `/>`) … */
  contentEnd: number;
  /** … which ends here. */
  end: number;
  readonly isSelfClosing: boolean;
}

/** What is wrong with a text. */
export type XmlFault = 'empty' | 'malformed' | 'doctype' | 'too_long' | 'too_many_nodes' | 'too_deep';

/** Bounds of what is read, nodes being elements and attributes: reading more would hold up everyone else's auction. */
export const xmlBounds = { charactersMax: 256 * 1024, nodesMax: 5000, depthMax: 64 };

/** An XML document whose root is `root`; `declaredEncoding` is `""` where none was declared. */
export interface XmlTree {
  readonly root: XmlElement;
  readonly declaredEncoding: string;
  /** Where the XML declaration ends; 0 where there is none. */
  readonly declarationEnd: number;
}

/** An element as its start tag tells it. */
export function newElement(
  name: string,
  { attributes, namespaces }: Pick<XmlElement, 'attributes' | 'namespaces'>,
  start: number,
  contentStart: number,
  isSelfClosing: boolean,
): XmlElement {
  const colon = name.indexOf(':') + 1;
  return {
    name,
    prefix: name.slice(0, colon),
    key: keyOf(name),
    attributes,
    namespaces,
    children: [],
    text: '',
    start,
    contentStart,
    contentEnd: isSelfClosing ? contentStart - 2 : contentStart,
    end: contentStart,
    isSelfClosing,
  };
}

/** Name without prefix, in lower case. */
export const keyOf = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** Children of that name (lower case, without prefix). */
export function childrenOf(element: XmlElement, key: string): XmlElement[] {
  return element.children.filter((child) => child.key === key);
}

/** The first child of that name. */
export function childOf(element: XmlElement, key: string): XmlElement | undefined {
  return element.children.find((child) => child.key === key);
}

/** Every element below this one, in the order of the document. */
export function descendantsOf(element: XmlElement, found: XmlElement[] = []): XmlElement[] {
  for (const child of element.children) {
    found.push(child);
    descendantsOf(child, found);
  }
  return found;
}
