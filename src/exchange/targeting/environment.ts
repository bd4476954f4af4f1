import { except, keyOf } from './keys.ts';
import type { KeyRule } from './rule.ts';
import { numberIn } from './stored-values.ts';

function environmentFlag(field: 'WebEnabled' | 'AppEnabled', environment: 'web' | 'app'): KeyRule {
  return {
    form: 'keys',
    field,
    reason: 'environment_not_enabled',
    keysOf: ({ inventory }) => keyOf(inventory.environment),
    restriction: (object) => (numberIn(object, field) === 0 ? except([environment]) : undefined),
  };
}

/** `WebEnabled` 0: no sites (specification 2.4). */
export const web = environmentFlag('WebEnabled', 'web');

/** `AppEnabled` 0: no apps (specification 2.4). */
export const app = environmentFlag('AppEnabled', 'app');
