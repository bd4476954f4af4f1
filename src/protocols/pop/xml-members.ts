import { descendantsOf, readXml, type XmlElement } from '../vast/xml-tree.ts';
import { type Members, normalizedName } from './members.ts';

/** Feeds write `<listing bid="1">` or `<listing><bid>1</bid>`. */
function shallow({ attributes, children }: XmlElement): Members {
  const texts = children.map(({ key, text }) => [normalizedName(key), text] as const);
  const values = attributes.entries().map(([name, value]) => [normalizedName(name), value] as const);
  // Later entries of a Map win: a name's first child counts, and children before attributes.
  return new Map([...values, ...texts.reverse()].filter(([, value]) => value !== ''));
}

const bareAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;
const cdataStart = '<![CDATA[';
const cdataEnd = ']]>';

/** Many feeds leave bare ampersands in URLs; CDATA stays as it is. */
function withEscapedAmpersands(text: string): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf(cdataStart, at);
    const end = start === -1 ? -1 : text.indexOf(cdataEnd, start);
    const plain = text.slice(at, end === -1 ? undefined : start).replace(bareAmpersand, '&amp;');
    if (end === -1) return result + plain;
    result += plain + text.slice(start, end + cdataEnd.length);
    at = end + cdataEnd.length;
  }
  return result;
}

/** Of every element, outer ones first; undefined if it is no XML or has a DOCTYPE. */
export function xmlMembers(text: string): Members[] | undefined {
  const strict = readXml(text);
  const tree = strict === 'malformed' ? readXml(withEscapedAmpersands(text)) : strict;
  if (typeof tree === 'string') return undefined;
  return [tree.root, ...descendantsOf(tree.root)].map(shallow);
}
