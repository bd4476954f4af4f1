import { xmlAttribute } from '../../protocols/vast/xml-values.ts';
import type { Demand } from '../snapshot/demand.ts';

/** The forms in which an attribute or a script may hold a URL, with what stands for `through` in the same quotes. */
function quotedForms(url: string, through: string): readonly (readonly [form: string, instead: string])[] {
  return [url, xmlAttribute(url)].flatMap((form) =>
    ['"', "'"].map((quote) => [`${quote}${form}${quote}`, `${quote}${through}${quote}`] as const),
  );
}

/**
 * The HTML of a banner with its links to a campaign's `ClickUrl` led through `throughUrl`, which counts them; markup
 * that links nowhere becomes one link. Of other demand it stays as it is: its links are not ours.
 */
export function withCampaignClicks(markup: string, demand: Demand, throughUrl: () => string): string {
  const target = demand.kind === 'Campaign' ? String(demand.document.ClickUrl ?? '') : '';
  if (target === '') return markup;
  const through = xmlAttribute(throughUrl());
  const linked = quotedForms(target, through).reduce(
    (html, [form, instead]) => html.replaceAll(form, () => instead),
    markup,
  );
  if (linked !== markup || /<a\s/i.test(markup)) return linked;
  return `<a href="${through}" target="_blank" rel="noopener">${markup}</a>`;
}
