import fc from 'fast-check';
import { factsOf, type Place } from './content-models.ts';
import { iabEvents, type SchemaVersion } from './iab-elements.ts';

/** Draws a whole number below a bound. */
type Draw = (below: number) => number;

const numbers =
  'width height bitrate minBitrate maxBitrate expandedWidth expandedHeight assetWidth assetHeight fileSize sequence';
const flags =
  'scalable maintainAspectRatio conditionalAd xmlEncoded followAdditionalWrappers allowMultipleAds fallbackOnNoAd variableDuration browserOptional';
const times = 'offset duration skipoffset minSuggestedDuration';
const valuesOf = (names: string, value: string) => names.split(' ').map((name) => [name, value] as const);

const attributeValues: ReadonlyMap<string, string> = new Map([
  ...valuesOf(numbers, '10'),
  ...valuesOf(flags, 'true'),
  ...valuesOf(times, '00:00:05'),
  ...Object.entries({
    model: 'cpm',
    currency: 'USD',
    delivery: 'streaming',
    required: 'any',
    pxratio: '1.5',
  }),
  ...Object.entries({ xPosition: 'left', yPosition: 'top', adType: 'video', renderingMode: 'default' }),
]);
const texts: ReadonlyMap<string, string> = new Map([
  ['Duration', '00:00:15'],
  ['Pricing', '1.5'],
  ['Expires', '60'],
]);

function attributesText(name: string, wanted: string, version: SchemaVersion, draw: Draw): string {
  const events = iabEvents[version];
  const drawnValue = (attribute: string) => {
    if (attribute === 'version') return name === 'VAST' ? version : '1';
    if (attribute === 'event') return events[draw(events.length)] ?? '';
    return attributeValues.get(attribute) ?? 'x&amp;y';
  };
  const words = wanted.split(' ').filter((word) => word !== '' && word !== '*');
  const drawn = words
    .filter((word) => word.endsWith('!') || draw(2) === 1)
    .map((word) => word.replace('!', ''));
  return drawn.map((attribute) => ` ${attribute}="${drawnValue(attribute)}"`).join('');
}

/** Children as a part of a model wants them, how many and which is drawn. */
function namesOf(part: string, draw: Draw): string[] {
  const group = /^\((.*)\)(\??)$/.exec(part);
  const [, inner = ''] = group ?? [];
  if (group && inner.includes('&')) return inner.split('&').flatMap((child) => namesOf(child, draw));
  if (group) {
    const choices = inner.split('|');
    return namesOf((choices[draw(choices.length)] ?? '').replace(/\?$/, '').replace(/\*$/, '+'), draw);
  }
  const least = /[?*]$/.test(part) ? 0 : 1;
  const many = { '?': 2, '*': 3, '+': 2 }[part.at(-1) ?? ''] ?? 1;
  return Array.from({ length: least + draw(many) }, () => part.replace(/[?*+]$/, ''));
}

function elementText(name: string, place: Place, draw: Draw): string {
  const [model = '', wanted = ''] = factsOf(name, place) ?? [];
  const attributes = attributesText(name, wanted, place.version, draw);
  const parent = name === 'TrackingEvents' ? place.parent : name;
  const below = { ...place, parent, isInWrapper: place.isInWrapper || name === 'Wrapper' };
  const children = model.startsWith('ANY')
    ? '<v:thing xmlns:v="urn:vendor"><v:URL>https://v.example/</v:URL></v:thing>'
    : model
        .split(' ')
        .filter((part) => part !== '')
        .flatMap((part) => namesOf(part, draw))
        .map((child) => elementText(child, below, draw));
  const xmlns = name === 'VAST' && place.version >= '4.0' ? ' xmlns="http://www.iab.com/VAST"' : '';
  const content =
    model === '' ? (texts.get(name) ?? 'https://dsp.example/?a=1&amp;b=2') : [children].flat().join('\n');
  return `<${name}${xmlns}${attributes}>${content}</${name}>`;
}

/** Any document that the schema of a version allows, with ads in it. */
export function anyDocument(version: SchemaVersion): fc.Arbitrary<string> {
  return fc.array(fc.nat(0xffff), { minLength: 20, maxLength: 600 }).map((drawn) => {
    let at = 0;
    const draw: Draw = (below) => {
      at += 1;
      return (drawn[at % drawn.length] ?? 0) % below;
    };
    const text = elementText('VAST', { version, parent: '', isInWrapper: false }, draw);
    return text.includes('<Ad')
      ? text
      : elementText('VAST', { version, parent: '', isInWrapper: false }, (below) => Math.min(1, below - 1));
  });
}
