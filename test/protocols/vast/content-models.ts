import { readXml, type XmlElement } from '../../../src/protocols/vast/xml-tree.ts';

/** Children that the IAB's schemas let an element have, in order; a name before a slash is the element above it. */
type Models = Readonly<Record<string, string>>;

const shared: Models = {
  Creatives: 'Creative+',
  TrackingEvents: 'Tracking*',
  MediaFiles: 'MediaFile+',
};

const models: Readonly<Record<'3.0' | '4.0', Models>> = {
  '3.0': {
    ...shared,
    VAST: 'Ad*',
    Ad: '(InLine|Wrapper)',
    InLine:
      'AdSystem AdTitle Description? Advertiser? Pricing? Survey? Error? Impression+ Creatives Extensions?',
    Wrapper: 'AdSystem VASTAdTagURI Error? Impression+ Creatives Extensions?',
    'Wrapper/Creatives': 'Creative*',
    Creative: '(Linear|CompanionAds|NonLinearAds)',
    Linear: 'Icons? CreativeExtensions? Duration TrackingEvents? AdParameters? VideoClicks? MediaFiles?',
    'Wrapper/Linear': 'CreativeExtensions? Icons? TrackingEvents? VideoClicks?',
    VideoClicks: 'ClickThrough? ClickTracking* CustomClick*',
    'Wrapper/VideoClicks': 'ClickTracking* CustomClick*',
  },
  '4.0': {
    ...shared,
    VAST: '(Ad*|Error*)',
    Ad: '(InLine|Wrapper)',
    InLine:
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdTitle AdVerifications? Advertiser? Category* Creatives Description? Survey?',
    Wrapper:
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdVerifications? Creatives? VASTAdTagURI',
    Creative: 'Linear UniversalAdId',
    'Wrapper/Creative': 'CompanionAds? Linear? NonLinearAds?',
    Linear: 'Icons? TrackingEvents? AdParameters? Duration MediaFiles VideoClicks?',
    'Wrapper/Linear': 'Icons? TrackingEvents? VideoClicks?',
    VideoClicks: 'ClickTracking* CustomClick* ClickThrough?',
    'Wrapper/VideoClicks': 'ClickTracking* CustomClick*',
  },
};

const requiredAttributes: Readonly<Record<string, readonly string[]>> = {
  VAST: ['version'],
  MediaFile: ['delivery', 'type', 'width', 'height'],
  Tracking: ['event'],
  Pricing: ['model', 'currency'],
  Category: ['authority'],
  UniversalAdId: ['idregistry', 'idvalue'],
};

const valuePatterns: Readonly<Record<string, RegExp>> = {
  Duration: /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/,
  Pricing: /^\d+(\.\d+)?$/,
};

function childrenPattern(model: string): RegExp {
  return new RegExp(`^${model.replace(/\w+/g, '(?:$&,)').replaceAll(' ', '')}$`);
}

function faultsIn(element: XmlElement, version: '3.0' | '4.0', form: string): string[] {
  const { name, children, attributes, text } = element;
  const model = models[version][`${form}/${name}`] ?? models[version][name] ?? '';
  const names = children.map((child) => `${child.name},`).join('');
  const lacking = (requiredAttributes[name] ?? []).filter((attribute) => !attributes.has(attribute));
  const below = name === 'Wrapper' || name === 'InLine' ? name : form;
  return [
    ...(childrenPattern(model).test(names) ? [] : [`${name} holds ${names} and not ${model}`]),
    ...lacking.map((attribute) => `${name} lacks ${attribute}`),
    ...((valuePatterns[name]?.test(text) ?? true) ? [] : [`${name} is ${text}`]),
    ...children.flatMap((child) => faultsIn(child, version, below)),
  ];
}

/**
 * What the IAB's schema of that version would say against a document: elements that are missing, too many, unknown or
 * out of order, and missing attributes.
 */
export function schemaFaults(xml: string, version: '3.0' | '4.0'): string[] {
  const tree = readXml(xml);
  if (typeof tree === 'string') return [tree];
  const { root } = tree;
  const namespace = version === '4.0' ? 'http://www.iab.com/VAST' : undefined;
  const isIn = root.namespaces[''] === namespace && root.attributes.get('version') === version;
  return [...(isIn ? [] : ['wrong namespace or version']), ...faultsIn(root, version, '')];
}
