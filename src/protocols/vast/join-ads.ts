import { ownMember } from '../../reference/own-member.ts';
import { applyEdits, type Edit } from './edit.ts';
import { trackerEdits } from './tracker-edits.ts';
import type { Trackers } from './trackers.ts';
import type { VastAd, VastDocument } from './vast-document.ts';
import { isSince, nearestVersion } from './vast-version.ts';
import type { XmlElement } from './xml-tree.ts';
import { xmlAttribute } from './xml-values.ts';

export interface TrackedDocument {
  readonly document: VastDocument;
  readonly trackers: Trackers;
  readonly token?: string;
}

const attributePattern = /(?<=\s)([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;
const afterName = ({ start, name }: XmlElement) => start + 1 + name.length;

function withoutAttribute(text: string, element: XmlElement, key: string): Edit[] {
  const from = afterName(element);
  for (const match of text.slice(from, element.contentStart).matchAll(attributePattern)) {
    const start = from + match.index;
    if (match[1]?.toLowerCase() === key) return [{ from: start, to: start + match[0].length, fragment: '' }];
  }
  return [];
}

/** Players then take the next ad if a wrapper has none (VAST 4.0, Wrapper; not in 3.0). */
function withFallbackOnNoAd({ version, ads }: VastDocument): Edit[] {
  if (!isSince(nearestVersion(version), '4.0')) return [];
  const wrappers = ads.filter(
    ({ isInLine, content }) => !isInLine && !content.attributes.has('fallbackonnoad'),
  );
  return wrappers.map(({ content }) => {
    const at = afterName(content);
    return { from: at, to: at, fragment: ' fallbackOnNoAd="true"' };
  });
}

function withNamespaces({ element }: VastAd, own: XmlElement, next: XmlElement): Edit {
  const prefixes = new Set(['', ...Object.keys(own.namespaces)]);
  const declarations = Array.from(prefixes, (prefix) => {
    const uri = ownMember(own.namespaces, prefix) ?? '';
    if (Object.hasOwn(element.namespaces, prefix) || uri === (ownMember(next.namespaces, prefix) ?? ''))
      return '';
    return ` xmlns${prefix === '' ? '' : ':'}${prefix}="${xmlAttribute(uri)}"`;
  });
  const at = afterName(element);
  return { from: at, to: at, fragment: declarations.join('') };
}

function inOrder(edits: readonly Edit[]): Edit[] {
  return edits.toSorted((one, other) => one.from - other.from);
}

/** Players would prefer a pod to a single ad. */
export function isPod({ ads }: VastDocument): boolean {
  return ads.length > 1 && ads.some(({ element }) => element.attributes.has('sequence'));
}

/** Of the first ad its place in a pod; other ads, which stand alone, have none. */
function withSequence({ text, ads }: VastDocument, place: number | undefined): Edit[] {
  return ads.flatMap(({ element }, index) => {
    const at = afterName(element);
    const isPlaced = place !== undefined && index === 0;
    const placed = isPlaced ? [{ from: at, to: at, fragment: ` sequence="${place}"` }] : [];
    return [...placed, ...withoutAttribute(text, element, 'sequence')];
  });
}

/** `place`: in a pod; undefined = fallbacks, which stand alone. */
function furtherAds(
  { document, trackers, token = '' }: TrackedDocument,
  next: XmlElement,
  place: number | undefined,
): string {
  const { text, root, ads } = document;
  const adEdits = [...ads.map((ad) => withNamespaces(ad, root, next)), ...withSequence(document, place)];
  const following = place === undefined ? withFallbackOnNoAd(document) : [];
  const edits = inOrder([...trackerEdits(document), ...adEdits, ...following]);
  const parts = ads.map(({ element }) =>
    applyEdits(text, edits, trackers, { from: element.start, to: element.end }).join(token),
  );
  return parts.join('');
}

function joined(
  { document, trackers, token = '' }: TrackedDocument,
  adEdits: readonly Edit[],
  behind: (root: XmlElement) => readonly string[],
): string {
  const { text, root } = document;
  const edits = inOrder([...trackerEdits(document), ...adEdits]);
  const before = applyEdits(text, edits, trackers, { from: 0, to: root.contentEnd }).join(token);
  return `${before}${behind(root).join('')}${text.slice(root.contentEnd)}`;
}

/**
 * Appends the others' ads as stand-alone ads, to which players turn in that order (VAST 3.0 and 4.0, "ad buffet"). All
 * have one version; the others are no pods.
 */
export function joinAds(first: TrackedDocument, others: readonly TrackedDocument[]): string {
  const following = others.length === 0 ? [] : withFallbackOnNoAd(first.document);
  return joined(first, following, (root) => others.map((other) => furtherAds(other, root, undefined)));
}

/** One pod of them, in this order. All have one version, and none is a pod. */
export function joinPod(first: TrackedDocument, others: readonly TrackedDocument[]): string {
  return joined(first, withSequence(first.document, 1), (root) =>
    others.map((other, index) => furtherAds(other, root, index + 2)),
  );
}
