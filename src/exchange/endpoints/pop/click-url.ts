export const clickPath = '/click/';

/** `answer` is what the page of `JsCheck` found out. */
export function clickUrl(baseUrl: string, token: string, answer?: string): string {
  return `${baseUrl}${clickPath}${token}${answer === undefined ? '' : `?js=${answer}`}`;
}
