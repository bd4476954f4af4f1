import { deliveryPlan, type PlanSettings, plannedTime, type WeekShape } from '../shared/delivery-plan.ts';

/** Of a deal until now. */
export interface DealUse {
  readonly impressions: number;
  readonly shape: WeekShape | undefined;
  readonly nowMs: number;
}

/** By names on the wire; null where nothing is planned, or not yet due. */
export interface Pace {
  /** Impressions in percent of those due; 100 = on plan. */
  readonly Pace: number | null;
  /** Impressions at its end, if it goes on so. */
  readonly ForecastUnits: number | null;
}

export const noPace: Pace = { Pace: null, ForecastUnits: null };

const oneDecimal = (value: number) => Math.round(10 * value) / 10;

export function paceOf(settings: PlanSettings, { impressions, shape, nowMs }: DealUse): Pace {
  const time = plannedTime(settings);
  const due = time ? deliveryPlan(time, shape).dueBy(nowMs) : 0;
  if (due === 0) return noPace;
  const { Units } = settings;
  return {
    Pace: oneDecimal((100 * impressions) / (Units * due)),
    ForecastUnits: Math.min(Units, Math.round(impressions / due)),
  };
}
