/** Path below which the clicks of pops live. */
export const clickPath = '/click/';

/** The URL of a pop's click, for its token; `answer` is what the page of `JsCheck` has found out. */
export function clickUrl(baseUrl: string, token: string, answer?: string): string {
  return `${baseUrl}${clickPath}${token}${answer === undefined ? '' : `?js=${answer}`}`;
}
