/** Some URLs are carried in tokens, which are carried in URLs. */
const charactersMax = 4096;

/** ASCII, at most 4,096 characters; undefined if it is none. */
export function httpUrl(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > charactersMax || !/^https?:\/\//i.test(trimmed)) return undefined;
  const href = URL.parse(trimmed)?.href ?? '';
  return href !== '' && href.length <= charactersMax ? href : undefined;
}
