import { applyEdits, type Edit } from './edit.ts';
import type { VastDocument } from './vast-document.ts';
import type { XmlElement } from './xml-tree.ts';
import { xmlCdata } from './xml-values.ts';

/** Their URLs are the ad itself, or lead on only after a click. */
const content = new Set(
  'mediafile mezzanine closedcaptionfile clickthrough nonlinearclickthrough companionclickthrough iconclickthrough'.split(
    ' ',
  ),
);

const url = /^(?:https?:)?\/\//i;

/** A program, or markup that may load anything: must not run. */
const isProgram = ({ key, attributes }: XmlElement) =>
  attributes.has('apiframework') || /script/i.test(attributes.get('type') ?? '') || key === 'htmlresource';

const isPicture = ({ key, attributes }: XmlElement) =>
  key === 'staticresource' && /^image\//i.test(attributes.get('creativetype') ?? '');

function isDormant(element: XmlElement): boolean {
  if (element.key === 'htmlresource') return element.text !== '';
  if (!url.test(element.text)) return false;
  return isProgram(element) || !(content.has(element.key) || isPicture(element));
}

/** `start` of `<Tracking event="start">`, else the element's name, as `Impression`. */
const eventOf = ({ name, prefix, attributes }: XmlElement) =>
  attributes.get('event') ?? name.slice(prefix.length);

/** The outermost ones: whatever is within goes with them. */
function dormantIn({ children }: XmlElement): XmlElement[] {
  return children.flatMap((child) => (isDormant(child) ? [child] : dormantIn(child)));
}

/** Replaces URLs that a player would call, run or follow; media, pictures and click targets stay, markup goes. */
export function dormantVast(
  { text, root }: VastDocument,
  instead: (event: string, url: string) => string,
): string {
  const edits = dormantIn(root).map((element): Edit => {
    const called = url.test(element.text) ? element.text : '';
    const fragment = called === '' ? '' : xmlCdata(instead(eventOf(element), called));
    return { from: element.contentStart, to: element.contentEnd, fragment };
  });
  return applyEdits(text, edits, {}).join('');
}
