/**
 * Finds plain http URLs in markup. Its parts are: `<link href>`, which loads (group 1); other links and namespaces
 * (`href`, `xmlns`), which load nothing (no group); and the start of a URL in an attribute, a script or a style
 * (group 2). Every repetition is bounded, by a number or by the next tag, so that no markup takes long.
 */
const plainHttp =
  /(<link\b[^<>]*?\bhref\s{0,9}=\s{0,9}["']?\s{0,9}http:\/\/)|\b(?:href|xmlns(?::\w{1,99})?)\s{0,9}=\s{0,9}["']?\s{0,9}http:\/\/|((?:^|[\s"'`(>,]|\b(?:src|poster|action|data|background)=)http:(?:\\?\/){2})/gi;

/** Whether HTML or script loads something by plain http, which browsers block on an https page. */
export function loadsInsecurely(markup: string): boolean {
  if (!/http:/i.test(markup)) return false;
  for (const [, link, other] of markup.matchAll(plainHttp)) {
    if (link !== undefined || other !== undefined) return true;
  }
  return false;
}
