import { xmlAttribute } from '../../protocols/vast/xml-values.ts';
import type { Demand } from '../snapshot/demand.ts';

/** Each form in which an attribute or a script may quote `url`, with its replacement: `through` in the same quotes. */
function quotedForms(url: string, through: string): readonly (readonly [form: string, instead: string])[] {
  return [url, xmlAttribute(url)].flatMap((form) =>
    ['"', "'"].map((quote) => [`${quote}${form}${quote}`, `${quote}${through}${quote}`] as const),
  );
}

/**
 * The HTML of a banner. Where the demand has a `ClickUrl`, links to it lead through `throughUrl`, which counts the
 * click, and markup without any link becomes one link. Other demand's markup stays as it is: its links are not ours.
 */
export function withCampaignClicks(markup: string, demand: Demand, throughUrl: () => string): string {
  const target = demand.settings.ClickUrl ?? '';
  if (target === '') return markup;
  const through = xmlAttribute(throughUrl());
  const linked = quotedForms(target, through).reduce(
    (html, [form, instead]) => html.replaceAll(form, () => instead),
    markup,
  );
  if (linked !== markup || /<a\s/i.test(markup)) return linked;
  return `<a href="${through}" target="_blank" rel="noopener">${markup}</a>`;
}
