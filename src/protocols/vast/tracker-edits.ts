import { quartileEvents, skipEvent } from './build-vast.ts';
import type { Edit, Fragment } from './edit.ts';
import { type AdForm, elementIn } from './schema.ts';
import type { Trackers, TrackerUrl } from './trackers.ts';
import type { VastAd, VastDocument } from './vast-document.ts';
import { isSince, nearestVersion, type VastVersion } from './vast-version.ts';
import { childOf, childrenOf, type XmlElement } from './xml-tree.ts';

type UrlOf = (trackers: Trackers) => TrackerUrl | undefined;
type Add = (parent: XmlElement, name: string, fragment: Fragment) => void;

interface AdSchema {
  readonly version: VastVersion;
  readonly form: AdForm;
}

/** By the schema's order; undefined if it has no place for it. */
function placeIn(parent: XmlElement, name: string, { version, form }: AdSchema): number | undefined {
  const key = name.toLowerCase();
  const child = elementIn(version, form, parent.key)?.byKey.get(key);
  if (child === undefined) return undefined;
  const same = childrenOf(parent, key).at(-1);
  if (same !== undefined) return child.isRepeated ? same.end : undefined;
  return parent.children.find((other) => child.later.includes(other.key))?.start ?? parent.contentEnd;
}

/** A self-closing element is opened by one edit, which gets all new children. */
function collect(edits: Edit[], schema: AdSchema): Add {
  const opened = new Map<XmlElement, Fragment[]>();
  return (parent, name, fragment) => {
    const at = placeIn(parent, name, schema);
    if (at === undefined) return;
    if (!parent.isSelfClosing) {
      edits.push({ from: at, to: at, fragment });
      return;
    }
    const pieces = opened.get(parent) ?? [];
    if (pieces.length === 0) {
      const opening = { open: '>', close: `</${parent.name}>`, pieces };
      edits.push({ from: parent.contentEnd, to: parent.end, fragment: opening });
      opened.set(parent, pieces);
    }
    pieces.push(fragment);
  };
}

function writer(prefix: string) {
  return {
    around: (name: string, pieces: readonly Fragment[]): Fragment => ({
      open: `<${prefix}${name}>`,
      close: `</${prefix}${name}>`,
      pieces,
    }),
    tracker: (name: string, urlOf: UrlOf, attributes = ''): Fragment => ({
      open: `<${prefix}${name}${attributes}>`,
      close: `</${prefix}${name}>`,
      urlOf,
    }),
  };
}
type Writer = ReturnType<typeof writer>;

/** VAST 2.0 has no word for a skip. */
function eventPieces({ tracker }: Writer, version: VastVersion): Fragment[] {
  const quartiles = quartileEvents.map((event) =>
    tracker('Tracking', ({ quartiles }) => quartiles?.[event], ` event="${event}"`),
  );
  if (!isSince(version, '3.0')) return quartiles;
  return [...quartiles, tracker('Tracking', ({ skip }) => skip, ` event="${skipEvent}"`)];
}

const clickPiece = ({ tracker }: Writer, name: string) => tracker(name, ({ clickTracking }) => clickTracking);

function editLinear(add: Add, write: Writer, linear: XmlElement, version: VastVersion): void {
  const pieces = eventPieces(write, version);
  const events = childOf(linear, 'trackingevents');
  if (events === undefined) add(linear, 'TrackingEvents', write.around('TrackingEvents', pieces));
  else for (const fragment of pieces) add(events, 'Tracking', fragment);
  const clicks = childOf(linear, 'videoclicks');
  const click = clickPiece(write, 'ClickTracking');
  if (clicks === undefined) add(linear, 'VideoClicks', write.around('VideoClicks', [click]));
  else add(clicks, 'ClickTracking', click);
}

/** For a wrapper without a linear creative. */
function addCreative(add: Add, write: Writer, content: XmlElement, version: VastVersion): void {
  const { around } = write;
  const clicks = around('VideoClicks', [clickPiece(write, 'ClickTracking')]);
  const linear = around('Linear', [around('TrackingEvents', eventPieces(write, version)), clicks]);
  const creative = around('Creative', [linear]);
  const creatives = childOf(content, 'creatives');
  if (creatives === undefined) add(content, 'Creatives', around('Creatives', [creative]));
  else add(creatives, 'Creative', creative);
}

function destinationEdit({ contentStart, contentEnd }: XmlElement): Edit {
  const urlOf: UrlOf = ({ clickThrough }) => clickThrough;
  return { from: contentStart, to: contentEnd, fragment: { open: '', close: '', urlOf } };
}

function editAd(edits: Edit[], version: VastVersion, { content, isInLine }: VastAd): void {
  const write = writer(content.prefix);
  const add = collect(edits, { version, form: isInLine ? 'inline' : 'wrapper' });
  add(
    content,
    'Error',
    write.tracker('Error', ({ error }) => error),
  );
  add(
    content,
    'Impression',
    write.tracker('Impression', ({ impression }) => impression),
  );
  add(
    content,
    'Impression',
    write.tracker('Impression', ({ measurement }) => measurement),
  );
  const creatives = childrenOf(content, 'creatives').flatMap((list) => childrenOf(list, 'creative'));
  const linears = creatives.flatMap((creative) => childrenOf(creative, 'linear'));
  const nonLinears = creatives
    .flatMap((creative) => childrenOf(creative, 'nonlinearads'))
    .flatMap((ads) => childrenOf(ads, 'nonlinear'));
  for (const linear of linears) editLinear(add, write, linear, version);
  const nonLinearClick = clickPiece(write, 'NonLinearClickTracking');
  for (const nonLinear of nonLinears) add(nonLinear, 'NonLinearClickTracking', nonLinearClick);
  if (!isInLine && linears.length === 0) addCreative(add, write, content, version);
  const destinations = [
    ...linears
      .flatMap((linear) => childrenOf(linear, 'videoclicks'))
      .flatMap((clicks) => childrenOf(clicks, 'clickthrough')),
    ...nonLinears.flatMap((nonLinear) => childrenOf(nonLinear, 'nonlinearclickthrough')),
  ];
  edits.push(...destinations.filter(({ text }) => text !== '').map(destinationEdit));
}

/** Sorted by place; made once for each document. */
export function trackerEdits(document: VastDocument): readonly Edit[] {
  if (document.edits !== undefined) return document.edits;
  const edits: Edit[] = [];
  const version = nearestVersion(document.version);
  for (const ad of document.ads) editAd(edits, version, ad);
  edits.sort((one, other) => one.from - other.from);
  document.edits = edits;
  return edits;
}
