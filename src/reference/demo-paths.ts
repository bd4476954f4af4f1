export const demoPath = '/demo';

export const playerPath = `${demoPath}/player`;
/** One folder below for each demonstration's key. */
export const mockDspPath = `${demoPath}/dsp`;

export function mockDspsOf({ url, key }: { readonly url: string; readonly key: string }): string {
  return `${url}${mockDspPath}/${key}/`;
}

export const filmPath = `${demoPath}/film.mp4`;
/** Where clicks lead. */
export const landingPath = `${demoPath}/advertiser`;
