/** Path below which a demonstration has all its pages. */
export const demoPath = '/demo';

/** Path of the page that plays its ads. */
export const playerPath = `${demoPath}/player`;
/** Path below which its mock DSPs are, each demonstration's below its key. */
export const mockDspPath = `${demoPath}/dsp`;

/** What the URLs of a demonstration's mock DSPs begin with. */
export function mockDspsOf({ url, key }: { readonly url: string; readonly key: string }): string {
  return `${url}${mockDspPath}/${key}/`;
}

/** Path of the film that its ads play. */
export const filmPath = `${demoPath}/film.mp4`;
/** Path of the page that their clicks lead to. */
export const landingPath = `${demoPath}/advertiser`;
