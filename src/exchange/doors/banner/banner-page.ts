import { xmlAttribute } from '../../../protocols/vast/xml-values.ts';

/** What makes a page of a banner. */
export interface BannerPage {
  /** HTML. */
  readonly markup: string;
  /** URL of the pixel that counts the impression. */
  readonly impression: string;
  /** Where the markup's links to the advertiser lead, and through what they are counted; absent: they are not ours. */
  readonly click?: { readonly target: string; readonly through: string };
}

/** The forms in which an attribute or a script may hold a URL. */
function quotedForms(url: string): string[] {
  return [url, xmlAttribute(url)].flatMap((form) => [`"${form}"`, `'${form}'`]);
}

/** The markup with its links to the target counted; markup that links nowhere is one link. */
function withClicks(markup: string, click: BannerPage['click']): string {
  if (click === undefined || click.target === '') return markup;
  const through = xmlAttribute(click.through);
  const linked = quotedForms(click.target).reduce(
    (html, form) => html.replaceAll(form, () => `"${through}"`),
    markup,
  );
  if (linked !== markup || /<a\s/i.test(markup)) return linked;
  return `<a href="${through}" target="_blank" rel="noopener">${markup}</a>`;
}

const pixelStyle = 'position:absolute;width:1px;height:1px;opacity:0';

/** The page of a banner. Its pixel comes first, as unfinished markup would swallow what is behind it. */
export function bannerPage({ markup, impression, click }: BannerPage): string {
  const pixel = `<img src="${xmlAttribute(impression)}" alt="" style="${pixelStyle}">`;
  return `<!doctype html><html><head><meta charset="utf-8"><style>html,body{margin:0;overflow:hidden}</style></head><body>${pixel}${withClicks(markup, click)}</body></html>`;
}
