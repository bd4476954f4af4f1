/** What the share of a limit is measured by: all in units of the limit. */
export interface Demanded {
  /** What was used since the last turn, and what was lacking then. */
  readonly used: number;
  readonly lacked: number;
  readonly elapsedMs: number;
  /** The least that is held while nobody else wants it. */
  readonly least: number;
  readonly isContested: boolean;
}

const secondsHeld = 2;
const flowKept = 0.7;

/** How much is used in a second, from what it was before: at once more, and slowly less. */
export function flowAfter(
  before: number,
  { used, lacked, elapsedMs }: Pick<Demanded, 'used' | 'lacked' | 'elapsedMs'>,
): number {
  const now = ((used + lacked) * 1000) / Math.max(elapsedMs, 100);
  const kept = before * flowKept ** (elapsedMs / 1000);
  return Math.max(now, kept < 0.01 ? 0 : kept);
}

/**
 * How much a process would like to hold: what it uses in two seconds, in one where others lack some of the limit, and
 * nothing where it uses nothing and others lack some.
 */
export function targetOf(
  flow: number,
  { lacked, least, isContested }: Pick<Demanded, 'lacked' | 'least' | 'isContested'>,
): number {
  if (isContested) return Math.ceil(Math.max(flow, lacked));
  return Math.max(least, lacked, Math.ceil(flow * secondsHeld));
}
