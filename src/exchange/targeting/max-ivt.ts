import type { BoundRule } from './rule.ts';

/** In percent (reference, "Targeting"). */
export const maxIvt: BoundRule = {
  form: 'bound',
  field: 'MaxIvt',
  reason: 'invalid_traffic',
  bound: 'maximum',
  measure: ({ invalidTrafficPercent }) => invalidTrafficPercent,
  boundOf: (object) => object.settings.MaxIvt || undefined,
};
