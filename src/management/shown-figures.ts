import type { AlertMember } from '../fields/field.ts';
import type { DealUse } from '../statistics/pace.ts';
import { noPerformance, type Performance } from '../statistics/performance.ts';

/** By names on the wire. */
export type ShownAlertState = Readonly<Record<AlertMember, string | number | null>>;

/** Not part of the configuration: figures, alerts' states, and what of a deal was used. */
export type ShownFigures = Performance & ShownAlertState & { readonly use?: DealUse };

const noState: ShownAlertState = {
  Firing: 0,
  FiringSince: '',
  Value: null,
  Problem: '',
  NoData: '',
  CheckedAt: '',
};

export const noFigures: ShownFigures = { ...noPerformance, ...noState };
