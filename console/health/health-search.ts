import { type HealthState, healthStateNames } from '../../src/reference/health-states.ts';
import { searchedOf, textOf } from '../parts/address-values.ts';

/** A state, or all that somebody should look at. */
export const shownStates = ['attention', ...healthStateNames] as const;
export type ShownState = HealthState | 'attention';

export interface HealthSearch {
  /** The side that is shown: demand, where it does not say. */
  readonly side?: 'supply' | undefined;
  readonly q?: string | undefined;
  readonly state?: ShownState | undefined;
  /** The object that is looked at, as `DspRtbEp:1`. */
  readonly open?: string | undefined;
}

/** What an address says, as far as it says something. */
export const readHealthSearch = (sent: Readonly<Record<string, unknown>>): HealthSearch => ({
  side: sent.side === 'supply' ? sent.side : undefined,
  q: searchedOf(sent.q),
  state: shownStates.find((name) => name === sent.state),
  open: textOf(sent.open),
});
