import { keyOf, newElement, type XmlElement, type XmlTree, xmlBounds } from './xml-element.ts';

/*
 * Most documents are plain: they hold nothing of XML but elements, attributes, text, CDATA and comments, all of it as
 * everyone writes it. Those are read here, several times faster than by a whole parser of XML, which reads all others
 * and says what is wrong with them. What is read here is well-formed, and read alike by both.
 */

/** What no plain document holds: control characters, carriage returns, surrogates. */
const strange = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]/;

const name = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const xmlDeclaration =
  /^<\?xml version="1\.0"(?: encoding="([A-Za-z][\w.-]*)")?(?: standalone="(?:yes|no)")?[ \t\n]*\?>/;
const tagStart = new RegExp(`<(${name})`, 'y');
const attribute = new RegExp(`[ \\t\\n]+(${name})[ \\t\\n]*=[ \\t\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const tagEnd = /[ \t\n]*(\/?)>/y;
const space = /^[ \t\n]*$/;
const reference = /&(\w*;?)/g;
const lineSpace = /[\t\n]/g;

const characters: Readonly<Record<string, string>> = {
  'amp;': '&',
  'lt;': '<',
  'gt;': '>',
  'quot;': '"',
  'apos;': "'",
};

/** Namespaces that are bound to names of their own begin so. */
const reservedUri = 'http://www.w3.org/';
const plainUri = /^[!-%'-~]+$/;

/** Thrown at what is not plain. */
const notPlain = new Error('not plain');

const slash = 0x2f;
const exclamation = 0x21;
const greater = 0x3e;

/** What a start tag tells beside its name. */
type Told = Pick<XmlElement, 'attributes' | 'namespaces'>;

const noNamespaces: Readonly<Record<string, string>> = Object.freeze(Object.create(null));
const nothing: Told = { attributes: new Map(), namespaces: noNamespaces };

const character = (_: string, named: string): string => {
  const found = Object.hasOwn(characters, named) ? characters[named] : undefined;
  if (found === undefined) throw notPlain;
  return found;
};

const decoded = (text: string) => (text.includes('&') ? text.replace(reference, character) : text);

/** A text under way from its start to its end. */
class PlainReader {
  readonly #text: string;
  readonly #open: XmlElement[] = [];
  #root: XmlElement | undefined;
  #nodes = 0;
  #at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  read(): XmlElement {
    for (;;) {
      const next = this.#text.indexOf('<', this.#at);
      if (next === -1) break;
      if (next > this.#at) this.#addText(this.#text.slice(this.#at, next));
      this.#at = next;
      const second = this.#text.charCodeAt(next + 1);
      if (second === slash) this.#close();
      else if (second === exclamation) this.#skipOrAdd();
      else this.#openElement();
    }
    this.#addText(this.#text.slice(this.#at));
    if (this.#root === undefined || this.#open.length > 0) throw notPlain;
    return this.#root;
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined) {
      if (!space.test(text)) throw notPlain;
    } else if (element.text !== '' || text.trim() !== '') {
      if (text.includes(']]>')) throw notPlain;
      element.text += decoded(text);
    }
  }

  /** Index behind an ending, which must be there. */
  #behind(ending: string, from: number): number {
    const found = this.#text.indexOf(ending, from);
    if (found === -1) throw notPlain;
    return found + ending.length;
  }

  #skipOrAdd(): void {
    const from = this.#at;
    if (this.#text.startsWith('<!--', from)) {
      // Two dashes are only at its end.
      this.#at = this.#behind('--', from + 4) + 1;
      if (this.#text[this.#at - 1] !== '>') throw notPlain;
      return;
    }
    const element = this.#open.at(-1);
    if (element === undefined || !this.#text.startsWith('<![CDATA[', from)) throw notPlain;
    this.#at = this.#behind(']]>', from + 9);
    element.text += this.#text.slice(from + 9, this.#at - 3);
  }

  #close(): void {
    const element = this.#open.pop();
    const from = this.#at;
    if (element === undefined || !this.#text.startsWith(element.name, from + 2)) throw notPlain;
    this.#at = from + 2 + element.name.length;
    if (this.#endTag()) throw notPlain;
    element.text = element.text.trim();
    element.contentEnd = from;
    element.end = this.#at;
  }

  /** Reads the end of a tag; answers whether it closes itself. */
  #endTag(): boolean {
    if (this.#isAt(greater)) {
      this.#at += 1;
      return false;
    }
    tagEnd.lastIndex = this.#at;
    const end = tagEnd.exec(this.#text);
    if (end === null) throw notPlain;
    this.#at = tagEnd.lastIndex;
    return end[1] === '/';
  }

  #isAt(code: number): boolean {
    return this.#text.charCodeAt(this.#at) === code;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > xmlBounds.nodesMax) throw notPlain;
  }

  #openElement(): void {
    this.#count();
    const { length: depth } = this.#open;
    const isSecondRoot = depth === 0 && this.#root !== undefined;
    const start = this.#at;
    tagStart.lastIndex = start;
    const tag = tagStart.exec(this.#text)?.[1];
    if (tag === undefined || isSecondRoot || depth >= xmlBounds.depthMax) throw notPlain;
    this.#at = tagStart.lastIndex;
    const told = this.#isAt(greater) ? nothing : this.#told();
    this.#checkPrefix(tag, told);
    const isSelfClosing = this.#endTag();
    const element = newElement(tag, told, start, this.#at, isSelfClosing);
    this.#root ??= element;
    this.#open.at(-1)?.children.push(element);
    if (!isSelfClosing) this.#open.push(element);
  }

  /** Reads the attributes of a tag; two of one name, whatever their prefixes and case, are not plain. */
  #told(): Told {
    attribute.lastIndex = this.#at;
    let match = attribute.exec(this.#text);
    if (match === null) return nothing;
    const attributes = new Map<string, string>();
    const names: string[] = [];
    let namespaces = noNamespaces;
    while (match !== null) {
      this.#count();
      this.#at = attribute.lastIndex;
      const [, full = '', double, single = ''] = match;
      const written = double ?? single;
      const key = keyOf(full);
      if (attributes.has(key)) throw notPlain;
      attributes.set(key, decoded(written.replace(lineSpace, ' ')));
      if (full === 'xmlns' || full.startsWith('xmlns:'))
        namespaces = withNamespace(namespaces, full, written);
      else names.push(full);
      match = attribute.exec(this.#text);
    }
    const told = { attributes, namespaces };
    for (const one of names) this.#checkPrefix(one, told);
    return told;
  }

  /** A prefix must be declared by its element or one around it. */
  #checkPrefix(full: string, { namespaces }: Told): void {
    const colon = full.indexOf(':');
    if (colon === -1) return;
    const prefix = full.slice(0, colon);
    if (prefix in namespaces || this.#open.some((element) => prefix in element.namespaces)) return;
    throw notPlain;
  }
}

function withNamespace(known: Told['namespaces'], full: string, uri: string): Told['namespaces'] {
  const prefix = full.slice('xmlns:'.length);
  const isPlain =
    plainUri.test(uri) && (!uri.startsWith(reservedUri) || uri.startsWith(`${reservedUri}2001/`));
  if (!isPlain || prefix.startsWith('xml')) throw notPlain;
  return Object.assign(Object.create(null), known, { [prefix]: uri });
}

/** A plain document as a tree; undefined where it is not plain, whether or not it is well-formed. */
export function readPlainXml(text: string): XmlTree | undefined {
  if (strange.test(text)) return undefined;
  const declaration = xmlDeclaration.exec(text);
  const declarationEnd = declaration?.[0].length ?? 0;
  try {
    const root = new PlainReader(text, declarationEnd).read();
    return { root, declaredEncoding: declaration?.[1] ?? '', declarationEnd };
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}
