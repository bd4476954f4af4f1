/** The values of an object or element that may be an ad, by their names as `normalizedName` has them. */
export type Members = ReadonlyMap<string, string>;

/** Most objects that are looked at on each level: reading more would delay everyone else's auction. */
export const membersMax = 5000;
/** Deepest level that is looked at, for the same reason. */
export const depthMax = 16;

/** A name in lower case, without other characters than letters and digits: feeds write `clickUrl` and `CLICK-URL`. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
