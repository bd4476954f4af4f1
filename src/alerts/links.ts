import type { Rule, RuleFilter } from './rule.ts';

const dayMinutes = 1440;

/** As a report's address says. */
export interface FigureReport {
  readonly period: string;
  readonly by: string;
  readonly compare?: string;
  readonly zone: string;
  readonly figures: string;
  readonly figure: string;
  readonly filter?: readonly RuleFilter[];
}

/** For one object if `own` filters for it; undefined if the rule has no figure. */
export function figureReport(rule: Rule, own: RuleFilter | undefined): FigureReport | undefined {
  const { measure, volumeOf, filters, windowMinutes } = rule;
  if (measure === undefined) return undefined;
  const filter = [...filters, ...(own ? [own] : [])];
  const figures = [measure, volumeOf].filter((name) => name !== undefined);
  return {
    ...(windowMinutes >= dayMinutes
      ? { period: 'Last30Days', by: 'Day' }
      : { period: 'Today', by: 'Hour', compare: 'Period' }),
    zone: 'UTC',
    figures: [...new Set(figures)].join(),
    figure: measure,
    ...(filter.length > 0 && { filter }),
  };
}
