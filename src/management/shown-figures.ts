import type { AlertMember } from '../fields/field.ts';
import { noPerformance, type Performance } from '../statistics/performance.ts';

/** How an alert is, under its names on the wire. */
export type ShownAlertState = Readonly<Record<AlertMember, string | number | null>>;

/** What objects show that is no part of the configuration: figures, and how alerts are. */
export type ShownFigures = Performance & ShownAlertState;

const noState: ShownAlertState = {
  Firing: 0,
  FiringSince: '',
  Value: null,
  Problem: '',
  NoData: '',
  CheckedAt: '',
};

/** What an object shows of which nothing is known. */
export const noFigures: ShownFigures = { ...noPerformance, ...noState };
