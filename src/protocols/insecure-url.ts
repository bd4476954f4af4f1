/** `<link href>` (group 1), other links (no group), what loads (group 2). All bounded. */
const plainHttp =
  /(<link\b[^<>]*?\bhref\s{0,9}=\s{0,9}["']?\s{0,9}http:\/\/)|\b(?:href|xmlns(?::\w{1,99})?)\s{0,9}=\s{0,9}["']?\s{0,9}http:\/\/|((?:^|[\s"'`(>,]|\b(?:src|poster|action|data|background)=)http:(?:\\?\/){2})/gi;

/** Browsers block that on an https page. */
export function loadsInsecurely(markup: string): boolean {
  if (!/http:/i.test(markup)) return false;
  for (const [, link, other] of markup.matchAll(plainHttp)) {
    if (link !== undefined || other !== undefined) return true;
  }
  return false;
}
