/** Loaded with the markup, or opened by a click. */
export interface HtmlUrl {
  readonly event: 'load' | 'click';
  readonly url: string;
}

/** Attributes by element, and `url(…)` of styles. All bounded. */
const attribute =
  /<([a-z][\w-]{0,30})|\b(src|href|poster|action|data|background|ping)\s{0,9}=\s{0,9}(?:"([^"]{0,8192})"|'([^']{0,8192})'|([^\s"'<>]{1,8192}))|\burl\(\s{0,9}["']?([^"')]{1,8192})/gi;

const absolute = /^(?:https?:)?\/\//i;
const references: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
]);
const unescaped = (text: string) =>
  text.replace(/&(?:amp|quot|#39);/g, (found) => references.get(found) ?? found);

const clicked = new Set(['a', 'area', 'form']);

/** Each once, in order. Good for display, never as a guard: scripts make others. */
export function htmlUrls(markup: string): HtmlUrl[] {
  const found = new Map<string, HtmlUrl>();
  let element = '';
  for (const [, name, attributeName, double, single, bare, style] of markup.matchAll(attribute)) {
    if (name !== undefined) {
      element = name.toLowerCase();
      continue;
    }
    const url = unescaped(double ?? single ?? bare ?? style ?? '').trim();
    if (!absolute.test(url)) continue;
    const isClick = clicked.has(element) && style === undefined && attributeName?.toLowerCase() !== 'ping';
    if (!found.has(url)) found.set(url, { event: isClick ? 'click' : 'load', url });
  }
  return [...found.values()];
}
