/** Of an object or element that may be an ad, by `normalizedName`. */
export type Members = ReadonlyMap<string, string>;

/** Objects per level: reading more would delay everyone else's auction. */
export const membersMax = 5000;
/** For the same reason. */
export const depthMax = 16;

/** Lower-case letters and digits: feeds write `clickUrl` and `CLICK-URL`. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
