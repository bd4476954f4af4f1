import {
  type AlertCondition,
  type AlertConditionName,
  type AlertGroup,
  alertComparisons,
  alertConditions,
} from '../reference/alert-conditions.ts';
import { type Measure, type MeasureName, measures } from '../reference/measures.ts';

/** As the API has them. */
export interface RuleFilter {
  readonly Field: string;
  readonly Operator: 'In' | 'NotIn';
  readonly Values: readonly (string | number)[];
}

export interface Rule {
  readonly condition: AlertConditionName;
  /** Absent for states of objects. */
  readonly measure: MeasureName | undefined;
  readonly threshold: number;
  readonly windowMinutes: number;
  /** How many days back it compares with. */
  readonly daysBefore: number;
  readonly zone: string;
  readonly minVolume: number;
  /** Which figure needs a minimum; undefined = none. */
  readonly volumeOf: MeasureName | undefined;
  readonly group: AlertGroup | undefined;
  readonly filters: readonly RuleFilter[];
  readonly holdMinutes: number;
  readonly endMinutes: number;
  readonly margin: number;
}

export const shareOf = (measure: MeasureName): MeasureName | undefined =>
  (measures[measure] as Measure).per as MeasureName | undefined;

const nothing: Readonly<Record<string, unknown>> = {
  Condition: 'Above',
  Measure: '',
  Threshold: 0,
  Window: 60,
  CompareTo: 'Day',
  TimeZone: '',
  MinVolume: 0,
  MinVolumeOf: '',
  GroupBy: '',
  Filters: [],
  HoldMinutes: 5,
  EndMinutes: 5,
  Hysteresis: 0,
};

/** Missing values are as if omitted. */
export function ruleOf(document: Readonly<Record<string, unknown>>): Rule {
  const value = { ...nothing, ...document };
  const condition = value.Condition as AlertConditionName;
  const measure = (value.Measure || undefined) as MeasureName | undefined;
  const minVolume = Number(value.MinVolume);
  const volumeOf = (value.MinVolumeOf || (measure && shareOf(measure)) || undefined) as
    | MeasureName
    | undefined;
  return {
    condition,
    measure,
    minVolume,
    threshold: Number(value.Threshold),
    zone: String(value.TimeZone || 'UTC'),
    windowMinutes: Number(value.Window),
    daysBefore: alertComparisons[value.CompareTo as keyof typeof alertComparisons] ?? alertComparisons.Day,
    volumeOf: minVolume > 0 ? volumeOf : undefined,
    group: (value.GroupBy || undefined) as AlertGroup | undefined,
    filters: value.Filters as readonly RuleFilter[],
    holdMinutes: Number(value.HoldMinutes),
    endMinutes: Number(value.EndMinutes),
    margin: Number(value.Hysteresis),
  };
}

const minuteMs = 60_000;

/** When to repeat what nobody acknowledged; 0 = never. No part of the rule. */
export const remindMsOf = (document: Readonly<Record<string, unknown>>): number =>
  Number(document.RemindMinutes ?? 0) * minuteMs;

/** Undefined for an unknown name. */
export const conditionOf = (name: string): AlertCondition | undefined =>
  Object.hasOwn(alertConditions, name) ? alertConditions[name as AlertConditionName] : undefined;
