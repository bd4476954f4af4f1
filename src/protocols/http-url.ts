/** Longer addresses are refused: some travel in tokens, which travel in URLs. */
const charactersMax = 4096;

/**
 * An absolute address of http or https as a `Location` may hold it, in ASCII; undefined where a text is none, or longer
 * than 4,096 characters.
 */
export function httpUrl(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > charactersMax || !/^https?:\/\//i.test(trimmed)) return undefined;
  const href = URL.parse(trimmed)?.href ?? '';
  return href !== '' && href.length <= charactersMax ? href : undefined;
}
