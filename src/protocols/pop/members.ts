/** What might be one ad: the values of an object or an element, by their names in plain lower case. */
export type Members = ReadonlyMap<string, string>;

/** More members are not looked at: reading them would hold up everyone else's auction. */
export const membersMax = 5000;
/** Nor what lies deeper. */
export const depthMax = 16;

/** A name as it is compared: feeds write `clickUrl`, `click_url` and `CLICK-URL`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
