/** With known schemas, oldest first. */
export const vastVersions = ['2.0', '3.0', '4.0', '4.1', '4.2', '4.3'] as const;
export type VastVersion = (typeof vastVersions)[number];

const numberPattern = /^\s*(\d)\.(\d)/;

/** `2.0.1` counts as 2.0; undefined if unknown. */
export function knownVersion(declared: string): VastVersion | undefined {
  const [, major, minor] = numberPattern.exec(declared) ?? [];
  return vastVersions.find((version) => version === `${major}.${minor}`);
}

/** Its own, else by its number the oldest or newest, else 3.0. */
export function nearestVersion(declared: string): VastVersion {
  const known = knownVersion(declared);
  if (known !== undefined) return known;
  const number = Number.parseFloat(declared);
  if (number >= 4) return '4.3';
  return number < 3 ? '2.0' : '3.0';
}

export function isSince(version: VastVersion, since: VastVersion): boolean {
  return vastVersions.indexOf(version) >= vastVersions.indexOf(since);
}

/** AdCOM 1.0, list Creative Subtypes: InLine ads and wrappers. */
const codes: Readonly<Record<VastVersion, { readonly inLine: number; readonly wrapper: number }>> = {
  '2.0': { inLine: 2, wrapper: 5 },
  '3.0': { inLine: 3, wrapper: 6 },
  '4.0': { inLine: 7, wrapper: 8 },
  '4.1': { inLine: 11, wrapper: 12 },
  '4.2': { inLine: 13, wrapper: 14 },
  '4.3': { inLine: 15, wrapper: 16 },
};
/** DAAST 1.0 and its wrapper. */
const daastCodes: readonly number[] = [9, 10];

/** AdCOM codes; the oldest version first. */
export function versionsOf(protocols: readonly number[], isWrapper: boolean): readonly VastVersion[] {
  return vastVersions.filter((version) => {
    const { inLine, wrapper } = codes[version];
    return protocols.includes(wrapper) || (!isWrapper && protocols.includes(inLine));
  });
}

/** AdCOM code. */
export function protocolOf(version: VastVersion, isWrapper: boolean): number {
  return isWrapper ? codes[version].wrapper : codes[version].inLine;
}

/** The predecessor of audio in VAST. */
export function takesDaast(protocols: readonly number[]): boolean {
  return protocols.some((code) => daastCodes.includes(code));
}
