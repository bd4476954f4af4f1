export interface HealthSearch {
  /** The side that is shown: demand, where it does not say. */
  readonly side?: 'supply' | undefined;
  readonly q?: string | undefined;
  readonly state?: string | undefined;
  /** The object that is looked at, as `DspRtbEp:1`. */
  readonly open?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What an address says, as far as it says something. */
export const readHealthSearch = (sent: Readonly<Record<string, unknown>>): HealthSearch => ({
  side: sent.side === 'supply' ? sent.side : undefined,
  // A search for a number comes as one.
  q: typeof sent.q === 'number' ? String(sent.q) : textOf(sent.q),
  state: textOf(sent.state),
  open: textOf(sent.open),
});
