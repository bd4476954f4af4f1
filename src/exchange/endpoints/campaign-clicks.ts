import { xmlAttribute } from '../../protocols/vast/xml-values.ts';
import type { Demand } from '../snapshot/demand.ts';

/** Each way to quote `url` in an attribute or script, with `through` in the same quotes. */
function quotedForms(url: string, through: string): readonly (readonly [form: string, instead: string])[] {
  return [url, xmlAttribute(url)].flatMap((form) =>
    ['"', "'"].map((quote) => [`${quote}${form}${quote}`, `${quote}${through}${quote}`] as const),
  );
}

/** Routes links to the demand's `ClickUrl` through `throughUrl`, which counts; markup without links becomes one. */
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
