import { ownMember } from '../../reference/own-member.ts';
import type { AdForm } from './schema.ts';
import { isSince, type VastVersion } from './vast-version.ts';
import type { XmlElement } from './xml-tree.ts';
import { xmlText } from './xml-values.ts';

interface Versions {
  readonly since: VastVersion;
  readonly until?: VastVersion;
}

const appliesTo = (version: VastVersion, { since, until = '4.3' }: Versions) =>
  isSince(version, since) && isSince(until, version);

interface AdToComplete {
  readonly version: VastVersion;
  readonly form: AdForm;
  readonly id: string;
}

const children: Readonly<Record<string, (ad: AdToComplete) => string | undefined>> = {
  AdSystem: () => '<AdSystem></AdSystem>',
  AdTitle: () => '<AdTitle></AdTitle>',
  Duration: () => '<Duration>00:00:00</Duration>',
  /** Ours comes with the trackers. */
  Impression: () => '',
  AdServingId: ({ id }) => `<AdServingId>${xmlText(id)}</AdServingId>`,
  /** 3.0 wants it in a wrapper, even if empty. */
  Creatives: ({ form }) => (form === 'wrapper' ? '<Creatives></Creatives>' : undefined),
  UniversalAdId: ({ version }) =>
    `<UniversalAdId idRegistry="unknown"${version === '4.0' ? ' idValue="unknown"' : ''}>unknown</UniversalAdId>`,
};

/** Stands in for a missing required element; undefined if nothing can. */
export function defaultChild(ad: AdToComplete, name: string): string | undefined {
  return ownMember(children, name)?.(ad);
}

interface AttributeRow extends Versions {
  readonly element: string;
  readonly attribute: string;
  /** Stands in if missing; absent: the element is then left out. */
  readonly value?: (element: XmlElement, id: string) => string;
}

const unknown = () => 'unknown';
const none = () => '0';

/** In lower case; required by some versions only. */
const attributes: readonly AttributeRow[] = [
  { element: 'tracking', attribute: 'event', since: '2.0' },
  { element: 'mediafile', attribute: 'delivery', since: '2.0', value: () => 'progressive' },
  // 4.0 has no place for it.
  { element: 'nonlinear', attribute: 'width', since: '2.0', value: none },
  { element: 'nonlinear', attribute: 'height', since: '2.0', value: none },
  { element: 'ad', attribute: 'id', since: '2.0', until: '2.0', value: (_, id) => id },
  { element: 'universaladid', attribute: 'idregistry', since: '4.0', value: unknown },
  { element: 'universaladid', attribute: 'idvalue', since: '4.0', until: '4.0', value: ({ text }) => text },
  { element: 'companionclicktracking', attribute: 'id', since: '4.0', value: () => '' },
  { element: 'icon', attribute: 'program', since: '3.0', until: '3.0', value: unknown },
  { element: 'icon', attribute: 'xposition', since: '3.0', until: '3.0', value: () => 'right' },
  { element: 'icon', attribute: 'yposition', since: '3.0', until: '3.0', value: () => 'top' },
  { element: 'icon', attribute: 'width', since: '3.0', until: '3.0' },
  { element: 'icon', attribute: 'height', since: '3.0', until: '3.0' },
  ...['delivery', 'type', 'width', 'height'].map(
    (attribute): AttributeRow => ({ element: 'mezzanine', attribute, since: '4.1' }),
  ),
];

const byElement = Map.groupBy(attributes, ({ element }) => element);

const rowsOf = (version: VastVersion, key: string) =>
  (byElement.get(key) ?? []).filter((row) => appliesTo(version, row));

/** In lower case; for those that the version requires and the element lacks. */
export function defaultAttributes(version: VastVersion, element: XmlElement, id: string): [string, string][] {
  return rowsOf(version, element.key).flatMap(({ attribute, value }) =>
    value ? [[attribute, value(element, id)]] : [],
  );
}

/** In lower case; without them the version has no use for the element. */
export function requiredAttributes(version: VastVersion, key: string): string[] {
  return rowsOf(version, key).flatMap(({ attribute, value }) => (value ? [] : [attribute]));
}
