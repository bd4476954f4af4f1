import { readXml, type XmlElement } from '../../../src/protocols/vast/xml-tree.ts';
import { iabElements, iabEvents, type SchemaVersion } from './iab-elements.ts';

/** The versions whose schemas documents are held against. */
export const schemaVersions = ['2.0', '3.0', '4.0', '4.1', '4.2'] as const satisfies readonly SchemaVersion[];

const valuePatterns: Readonly<Record<string, RegExp>> = {
  Duration: /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?$/,
  Pricing: /^\d+(\.\d+)?$/,
};
const models3 = /^(cpc|cpm|cpe|cpv)$/;

/** Where an element stands. */
export interface Place {
  readonly version: SchemaVersion;
  readonly parent: string;
  readonly isInWrapper: boolean;
}

/** What the schema says of an element in its place; undefined where it knows none. */
export function factsOf(name: string, { version, parent, isInWrapper }: Place) {
  const names = [...(isInWrapper ? [`Wrapper/${name}`] : []), `${parent}/${name}`, name];
  for (const key of names) {
    const since = schemaVersions.findLast((known) => known <= version && iabElements[key]?.[known]);
    const facts = since && iabElements[key]?.[since];
    if (facts) return facts;
  }
  return undefined;
}

function childrenPattern(model: string): RegExp {
  return new RegExp(`^${model.replace(/\w+/g, '(?:$&,)').replaceAll(' ', '')}$`);
}

function fitsModel(model: string, names: readonly string[]): boolean {
  if (model.startsWith('ANY')) return true;
  if (!model.includes('&')) return childrenPattern(model).test(names.map((name) => `${name},`).join(''));
  const parts = model.slice(1, -1).split('&');
  const isKnown = names.every((name) => parts.some((part) => part.replace('?', '') === name));
  return (
    isKnown &&
    parts.every((part) =>
      childrenPattern(part).test(
        names
          .filter((name) => part.startsWith(name))
          .map((name) => `${name},`)
          .join(''),
      ),
    )
  );
}

function attributeFaults({ name, attributes }: XmlElement, wanted: string): string[] {
  const words = wanted.split(' ').filter((word) => word !== '');
  const known = new Set(words.map((word) => word.replace('!', '').toLowerCase()));
  const met = [...attributes.keys()].filter((key) => !known.has(key) && !known.has('*'));
  const lacking = words.filter(
    (word) => word.endsWith('!') && !attributes.has(word.slice(0, -1).toLowerCase()),
  );
  return [...met.map((key) => `${name} has ${key}`), ...lacking.map((word) => `${name} lacks ${word}`)];
}

function valueFaults({ name, text, attributes }: XmlElement, { version, parent }: Place): string[] {
  const faults = (valuePatterns[name]?.test(text) ?? true) ? [] : [`${name} is ${text}`];
  const event = attributes.get('event');
  if (name === 'Tracking' && parent !== 'Verification' && !iabEvents[version].includes(event ?? ''))
    faults.push(`Tracking of ${event}`);
  if (name === 'Pricing' && version === '3.0' && !models3.test(attributes.get('model') ?? ''))
    faults.push(`Pricing by ${attributes.get('model')}`);
  return faults;
}

/** Declarations of namespaces are no attributes. */
function withoutNamespaces(element: XmlElement): XmlElement {
  const declared = new Set([
    'xmlns',
    ...Object.keys(element.namespaces).map((prefix) => prefix.toLowerCase()),
  ]);
  const attributes = [...element.attributes].filter(([key]) => !declared.has(key));
  return { ...element, attributes: new Map(attributes) };
}

function faultsIn(element: XmlElement, place: Place): string[] {
  const { name, children } = element;
  const facts = factsOf(name, place);
  if (facts === undefined) return [`${name} is unknown`];
  const [model, attributes] = facts;
  const names = children.map((child) => child.name);
  // The events of a verification are its own.
  const parent = name === 'TrackingEvents' ? place.parent : name;
  const below = { ...place, parent, isInWrapper: place.isInWrapper || name === 'Wrapper' };
  return [
    ...(fitsModel(model, names) ? [] : [`${name} holds ${names.join()} and not ${model}`]),
    ...attributeFaults(withoutNamespaces(element), attributes),
    ...valueFaults(element, place),
    ...(model.startsWith('ANY') ? [] : children.flatMap((child) => faultsIn(child, below))),
  ];
}

/**
 * What the IAB's schema of that version would say against a document: elements that are missing, too many, unknown or
 * out of order, attributes that are missing or unknown, and events.
 */
export function schemaFaults(xml: string, version: SchemaVersion): string[] {
  const tree = readXml(xml);
  if (typeof tree === 'string') return [tree];
  const { root } = tree;
  const namespace = version >= '4.0' ? 'http://www.iab.com/VAST' : undefined;
  const isIn = root.namespaces[''] === namespace && root.attributes.get('version') === version;
  const faults = faultsIn(root, { version, parent: '', isInWrapper: false });
  return [...(isIn ? [] : ['wrong namespace or version']), ...faults];
}
