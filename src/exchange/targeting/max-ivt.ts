import type { BoundRule } from './rule.ts';

/** In percent; a request that is invalid itself is so wholly (reference, "Targeting"). */
export const maxIvt: BoundRule = {
  form: 'bound',
  field: 'MaxIvt',
  reason: 'invalid_traffic',
  bound: 'maximum',
  measure: ({ invalid, invalidTrafficPercent }) => (invalid ? 100 : invalidTrafficPercent),
  metOf: ({ invalid }) => invalid,
  boundOf: (object) => object.settings.MaxIvt || undefined,
};
