import type { AlertMember } from '../fields/field.ts';
import {
  type DealFigures,
  noDealFigures,
  noPerformance,
  type Performance,
} from '../statistics/performance.ts';

/** By names on the wire. */
export type ShownAlertState = Readonly<Record<AlertMember, string | number | null>>;

/** Not part of the configuration: figures, and alerts' states. */
export type ShownFigures = Performance & DealFigures & ShownAlertState;

const noState: ShownAlertState = {
  Firing: 0,
  FiringSince: '',
  Value: null,
  Problem: '',
  NoData: '',
  CheckedAt: '',
};

export const noFigures: ShownFigures = { ...noPerformance, ...noDealFigures, ...noState };
