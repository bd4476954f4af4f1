/** Longer URLs are refused, because some are carried in tokens, which are carried in URLs. */
const charactersMax = 4096;

/**
 * An absolute http or https URL in ASCII, as a `Location` header may hold it; undefined if the text is none, or is
 * longer than 4,096 characters.
 */
export function httpUrl(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > charactersMax || !/^https?:\/\//i.test(trimmed)) return undefined;
  const href = URL.parse(trimmed)?.href ?? '';
  return href !== '' && href.length <= charactersMax ? href : undefined;
}
