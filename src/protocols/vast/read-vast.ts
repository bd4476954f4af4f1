import { loadsInsecurely } from '../insecure-url.ts';
import { dropForeign } from './drop-foreign.ts';
import type { Pricing, VastAd, VastDocument, VastFault } from './vast-document.ts';
import { childOf, childrenOf, descendantsOf, readXml, type XmlElement, type XmlTree } from './xml-tree.ts';

const domainPattern = /^(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]*$/u;
const iabName = /^iab\d+(?:-\d+)?$/i;
const timePattern = /^(\d+):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/;
/** May have URLs anywhere in their text. */
const holdsMarkup = new Set(['htmlresource', 'adparameters']);

const holdsDomain = new Set(
  'addomain ad_domain advdomain adv_domain advertiserdomain advertiser_domain adomain'.split(' '),
);

const textOf = (element: XmlElement | undefined) => element?.text ?? '';
const isClick = (key: string) => key === 'clickthrough' || key === 'nonlinearclickthrough';

function pricingOf(content: XmlElement): Pricing | undefined {
  const pricing = childOf(content, 'pricing');
  if (pricing === undefined) return;
  const { attributes } = pricing;
  return {
    model: attributes.get('model') ?? '',
    currency: attributes.get('currency') ?? '',
    value: pricing.text,
  };
}

function hostOf(url: string): string {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#:@\s]+)/i.exec(url)?.[1] ?? '';
}

/** `Advertiser` if it is a domain, `AdvDomain` and the like, and the hosts of clicks. */
function adDomainsOf(content: XmlElement, below: readonly XmlElement[]): string[] {
  const advertisers = [textOf(childOf(content, 'advertiser'))].filter((name) => domainPattern.test(name));
  const domains: string[] = [];
  const clicks: string[] = [];
  for (const { key, text } of below) {
    if (holdsDomain.has(key)) domains.push(text);
    else if (isClick(key)) clicks.push(hostOf(text));
  }
  const found = [...advertisers, ...domains, ...clicks].map((domain) => domain.toLowerCase());
  return found.length === 0 ? found : [...new Set(found)].filter((domain) => domain !== '');
}

/** The first creative's registered ID, else the ad server's; `""` if none has one. */
function creativeIdOf(creatives: readonly XmlElement[]): string {
  for (const creative of creatives) {
    const universal = childOf(creative, 'universaladid');
    const { attributes } = creative;
    const ids = [
      universal?.attributes.get('idvalue'),
      universal?.text,
      attributes.get('adid'),
      attributes.get('id'),
    ];
    const id = ids.find((value) => value && value.toLowerCase() !== 'unknown');
    if (id !== undefined) return id;
  }
  return '';
}

function secondsOf(time: string): number[] {
  const [, hours, minutes, seconds] = timePattern.exec(time) ?? [];
  return hours === undefined ? [] : [Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)];
}

function categoriesOf(content: XmlElement): string[] {
  const names = childrenOf(content, 'category').map(textOf);
  return names.filter((name) => iabName.test(name)).map((name) => name.toUpperCase());
}

const resources = new Set(['staticresource', 'iframeresource', 'htmlresource']);

type Test = (element: XmlElement) => boolean;

const someIn = (element: XmlElement, key: string, test: Test) =>
  element.children.some((child) => child.key === key && test(child));

const hasText: Test = ({ text }) => text !== '';
const hasResource: Test = ({ children }) =>
  children.some((child) => resources.has(child.key) && hasText(child));
const hasFile: Test = (linear) => someIn(linear, 'mediafiles', (list) => someIn(list, 'mediafile', hasText));

const hasFilm: Test = (creative) => someIn(creative, 'linear', hasFile);
const hasOverlay: Test = (creative) =>
  someIn(creative, 'nonlinearads', (ads) => someIn(ads, 'nonlinear', hasResource));

function filesIn(below: readonly XmlElement[]): Pick<VastAd, 'mediaTypes' | 'isVpaid' | 'durationSeconds'> {
  const mediaTypes: string[] = [];
  const durations: number[] = [];
  let isVpaid = true;
  for (const { key, text, attributes } of below) {
    if (key === 'duration') durations.push(...secondsOf(text));
    if (key !== 'mediafile') continue;
    mediaTypes.push((attributes.get('type') ?? '').toLowerCase());
    isVpaid &&= attributes.get('apiframework')?.toLowerCase() === 'vpaid';
  }
  const durationSeconds = durations.length === 0 ? undefined : Math.max(...durations);
  return { mediaTypes, isVpaid: isVpaid && mediaTypes.length > 0, durationSeconds };
}

function adOf(element: XmlElement): VastAd | undefined {
  const inLine = childOf(element, 'inline');
  const content = inLine ?? childOf(element, 'wrapper');
  if (content === undefined) return;
  const below = descendantsOf(content);
  const creatives = childrenOf(content, 'creatives').flatMap((list) => childrenOf(list, 'creative'));
  const isInLine = inLine !== undefined;
  const linear = isInLine && creatives.some(hasFilm);
  const nonLinear = isInLine && creatives.some(hasOverlay);
  const wrappedUrl = textOf(childOf(content, 'vastadtaguri'));
  return {
    element,
    content,
    isInLine,
    isPlayable: isInLine ? linear || nonLinear : wrappedUrl !== '',
    linear,
    nonLinear,
    wrappedUrl,
    pricing: pricingOf(content),
    advertiser: textOf(childOf(content, 'advertiser')),
    adDomains: adDomainsOf(content, below),
    categories: categoriesOf(content),
    creativeId: creativeIdOf(creatives),
    ...filesIn(below),
  };
}

/** A click's URL may be http: it is opened, not loaded. */
function isInsecure({ key, text }: XmlElement): boolean {
  if (holdsMarkup.has(key)) return loadsInsecurely(text);
  return /^http:/i.test(text) && !key.endsWith('clickthrough');
}

function insecureIn({ children }: XmlElement): XmlElement | undefined {
  for (const child of children) {
    const found = isInsecure(child) ? child : insecureIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Removes a false encoding: we send Unicode. */
function withoutFalseEncoding(text: string, { declaredEncoding, declarationEnd }: XmlTree): string {
  return /^(?:utf-?8|us-ascii|)$/i.test(declaredEncoding) ? text : text.slice(declarationEnd).trimStart();
}

function documentOf(text: string, root: XmlElement): VastDocument {
  return {
    text,
    dropped: [],
    version: root.attributes.get('version') ?? '',
    root,
    ads: childrenOf(root, 'ad')
      .map(adOf)
      .filter((ad) => ad !== undefined),
    insecureElement: insecureIn(root)?.name,
    edits: undefined,
  };
}

/** Tolerant of form, as strict in syntax as players. Drops what browsers would run or render. Never throws. */
export function readVast(received: string): VastDocument | VastFault {
  const text = received.trim();
  const tree = readXml(text);
  if (typeof tree === 'string') return { fault: tree };
  if (tree.root.key !== 'vast' || tree.foreign.includes(tree.root)) return { fault: 'not_vast' };
  const corrected = withoutFalseEncoding(text, tree);
  if (corrected !== text) return readVast(corrected);
  const left = dropForeign(text, tree);
  if (left === undefined) return documentOf(text, tree.root);
  const document = readVast(left.text);
  return 'fault' in document ? document : { ...document, dropped: left.dropped };
}
