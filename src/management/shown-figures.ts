import type { AlertMember } from '../fields/field.ts';
import { noPace, type Pace } from '../statistics/pace.ts';
import {
  type DealFigures,
  noDealFigures,
  noPerformance,
  type Performance,
} from '../statistics/performance.ts';
import { type DealState, dealStateOf } from './deals/deal-state.ts';

/** By names on the wire. */
export type ShownAlertState = Readonly<Record<AlertMember, string | number | null>>;

/** Not part of the configuration: figures, and the states of alerts and deals. */
export type ShownFigures = Performance &
  DealFigures &
  ShownAlertState & { readonly deal: DealState; readonly pace: Pace };

const noState: ShownAlertState = {
  Firing: 0,
  FiringSince: '',
  Value: null,
  Problem: '',
  NoData: '',
  CheckedAt: '',
};

export const noFigures: ShownFigures = {
  ...noPerformance,
  ...noDealFigures,
  ...noState,
  deal: dealStateOf([], 0),
  pace: noPace,
};

/** Of an object that was just added. */
export const newFigures = (nowMs: number): ShownFigures => ({ ...noFigures, deal: dealStateOf([], nowMs) });
