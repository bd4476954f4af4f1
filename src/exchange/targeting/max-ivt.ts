import { boundRule } from './bound-rule.ts';

/** Refuses inventory with more invalid traffic, in percent (specification 2.4; delivery, "Targeting"). */
export const maxIvt = boundRule({
  field: 'MaxIvt',
  reason: 'invalid_traffic',
  bound: 'maximum',
  measure: ({ invalidTrafficPercent }) => invalidTrafficPercent,
});
