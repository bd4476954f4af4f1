import { vastNamespace } from './build-vast.ts';
import { readVast } from './read-vast.ts';
import { defaultAttributes, defaultChild, requiredAttributes } from './required-parts.ts';
import { type AdForm, type ChildSchema, elementIn, eventIn } from './schema.ts';
import { extensionElements } from './schema-table.ts';
import type { VastAd, VastDocument, VastFault } from './vast-document.ts';
import { isSince, type VastVersion } from './vast-version.ts';
import { childOf, childrenOf, type XmlElement, xmlBounds } from './xml-tree.ts';
import { xmlAttribute } from './xml-values.ts';

interface Conversion {
  readonly text: string;
  readonly version: VastVersion;
  readonly form: AdForm;
  /** Unique, for the IDs that some versions require. */
  readonly id: string;
  /** What has no other place, as `Extension` elements, and the room left in characters. */
  readonly extensions: { readonly texts: string[]; room: number };
  /** Namespaces declared above, without the root's; and their declarations. */
  readonly scope: { readonly namespaces: Namespaces; readonly text: string };
}

type Namespaces = Readonly<Record<string, string>>;

const toExtension = new Map(extensionElements.map((name) => [name.toLowerCase(), name]));
/** Written once per alternative, of which an older version takes one. */
const isSplitByAlternative = (key: string) => key === 'creative';

/** Without them vendors' elements would not be well-formed. */
function declarations(namespaces: Namespaces): string {
  const prefixes = Object.entries(namespaces).filter(([prefix]) => prefix !== '');
  return prefixes.map(([prefix, uri]) => ` xmlns:${prefix}="${xmlAttribute(uri)}"`).join('');
}

function attributesAsWritten(text: string, { start, name, contentStart, isSelfClosing }: XmlElement): string {
  return text.slice(start + 1 + name.length, contentStart - (isSelfClosing ? 2 : 1)).trimEnd();
}

function valueIn(
  { version }: Conversion,
  element: XmlElement,
  key: string,
  value: string,
): string | undefined {
  if (element.key === 'tracking' && key === 'event') return eventIn(version, value.trim());
  // 3.0 writes the models in lower case, later versions in either.
  return element.key === 'pricing' && key === 'model' ? value.trim().toLowerCase() : value;
}

function attributesIn(writing: Conversion, element: XmlElement): string | undefined {
  const { version, form, text, id } = writing;
  const schema = elementIn(version, form, element.key);
  if (schema?.hasAnyAttribute) return attributesAsWritten(text, element);
  const standIns = defaultAttributes(version, element, id);
  const values = new Map(standIns.filter(([key]) => schema?.attributes.has(key)));
  for (const [key, value] of element.attributes) {
    const name = schema?.attributes.get(key);
    const known = name === undefined ? undefined : valueIn(writing, element, key, value);
    if (known !== undefined) values.set(key, known);
  }
  if (!requiredAttributes(version, element.key).every((key) => values.has(key))) return undefined;
  const pairs = [...values].map(([key, value]) => ` ${schema?.attributes.get(key)}="${xmlAttribute(value)}"`);
  return `${declarations(element.namespaces)}${pairs.join('')}`;
}

function below(writing: Conversion, element: XmlElement): Conversion {
  if (Object.keys(element.namespaces).length === 0) return writing;
  const namespaces = { ...writing.scope.namespaces, ...element.namespaces };
  return { ...writing, scope: { namespaces, text: declarations(namespaces) } };
}

const contentOf = (text: string, { contentStart, contentEnd }: XmlElement) =>
  text.slice(contentStart, contentEnd);

/** Keeps it as an extension, or else what is in it. */
function moveToExtensions(writing: Conversion, element: XmlElement): void {
  const type = toExtension.get(element.key);
  if (type === undefined) {
    const inner = below(writing, element);
    for (const child of element.children) moveToExtensions(inner, child);
    return;
  }
  const { extensions, scope } = writing;
  const whole = writing.text.slice(element.start, element.end);
  const text = `<Extension type="${type}"${scope.text}>${whole}</Extension>`;
  extensions.room -= text.length;
  if (extensions.room >= 0) extensions.texts.push(text);
}

function childTexts(
  writing: Conversion,
  { keys, isRepeated }: ChildSchema,
  children: readonly XmlElement[],
): string[] {
  const fit = keys
    .map((key) => children.filter((child) => child.key === key))
    .find(({ length }) => length > 0);
  if (fit === undefined) return [];
  const written = fit.map((child) => ({ child, text: elementText(writing, child) }));
  const kept = written.filter(({ text }) => text !== '');
  if (isRepeated) return kept.map(({ text }) => text);
  for (const { child } of kept.slice(1)) moveToExtensions(writing, child);
  return kept.slice(0, 1).map(({ text }) => text);
}

/** Undefined if it has lost all, or lacks what the version requires. */
function childrenText(
  writing: Conversion,
  schemas: readonly ChildSchema[],
  children: readonly XmlElement[],
): string | undefined {
  const isKnown = ({ key }: XmlElement) => schemas.some(({ keys }) => keys.includes(key));
  for (const child of children) if (!isKnown(child)) moveToExtensions(writing, child);
  const parts = schemas.map((schema) => {
    const pieces = schema.keys.includes('extensions') ? [] : childTexts(writing, schema, children);
    const [name = ''] = schema.names;
    return schema.isRequired && pieces.length === 0 ? defaultChild(writing, name) : pieces.join('');
  });
  if (parts.includes(undefined)) return undefined;
  // Written last, because other children may leave something for it.
  const extensions = schemas.findIndex(({ keys }) => keys.includes('extensions'));
  if (extensions >= 0) parts[extensions] = extensionsText(writing, children);
  const text = parts.join('');
  return text === '' && children.length > 0 ? undefined : text;
}

function extensionsText(writing: Conversion, children: readonly XmlElement[]): string {
  const lists = children.filter(({ key }) => key === 'extensions');
  const own = lists.flatMap((list) => childrenOf(list, 'extension'));
  const texts = [...own.map((extension) => elementText(writing, extension)), ...writing.extensions.texts];
  if (texts.length === 0) return '';
  return `<Extensions${declarations(lists[0]?.namespaces ?? {})}>${texts.join('')}</Extensions>`;
}

function splitByAlternative(
  schemas: readonly ChildSchema[],
  { key, children }: XmlElement,
): readonly XmlElement[][] {
  const alternatives = isSplitByAlternative(key)
    ? schemas.find(({ keys }) => keys.length > 1)?.keys
    : undefined;
  if (alternatives === undefined) return [[...children]];
  const [first, ...others] = alternatives.flatMap((each) => childOf({ children }, each) ?? []);
  const rest = children.filter((child) => !alternatives.includes(child.key));
  return [[...(first ? [first] : []), ...rest], ...others.map((child) => [child])];
}

function elementText(writing: Conversion, element: XmlElement): string {
  const { version, form, text } = writing;
  const schema = elementIn(version, form, element.key);
  const attributes = attributesIn(writing, element);
  if (schema === undefined || attributes === undefined) return '';
  const around = (content: string) => `<${schema.name}${attributes}>${content}</${schema.name}>`;
  const { children } = schema;
  if (children === undefined) return around(contentOf(text, element));
  const inner = below(writing, element);
  const contents = splitByAlternative(children, element).map((lot) => childrenText(inner, children, lot));
  return contents.flatMap((content) => (content === undefined ? [] : around(content))).join('');
}

function adText(
  document: VastDocument,
  { element, isInLine }: VastAd,
  version: VastVersion,
  id: string,
): string {
  const form = isInLine ? 'inline' : 'wrapper';
  const extensions = { texts: [], room: xmlBounds.charactersMax };
  const scope = { namespaces: {}, text: '' };
  return elementText({ text: document.text, version, form, id, extensions, scope }, element);
}

/**
 * Converts to another version's schema order, with what it requires. Unknown elements become extensions, or go if
 * useless there. `id` is unique, for versions that require it. Undefined if nothing playable is left; a fault if it
 * grew too large.
 */
export function convertToVersion(
  document: VastDocument,
  version: VastVersion,
  id: string,
): VastDocument | VastFault | undefined {
  const ads = document.ads.map((ad, index) =>
    adText(document, ad, version, index === 0 ? id : `${id}-${index}`),
  );
  const xmlns = isSince(version, '4.0') ? ` xmlns="${vastNamespace}"` : '';
  const open = `<VAST version="${version}"${xmlns}${declarations(document.root.namespaces)}>`;
  const fitted = readVast(`<?xml version="1.0" encoding="UTF-8"?>\n${open}${ads.join('')}</VAST>`);
  return 'fault' in fitted || fitted.ads.some(({ isPlayable }) => isPlayable) ? fitted : undefined;
}
