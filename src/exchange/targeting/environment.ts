import { except, keyOf } from './keys.ts';
import type { KeyRule } from './rule.ts';
import { numberIn } from './stored-values.ts';

const fields: Readonly<Record<string, string>> = { web: 'WebEnabled', app: 'AppEnabled' };

/** `WebEnabled` 0: no sites; `AppEnabled` 0: no apps (specification 2.4). */
export const environment: KeyRule = {
  form: 'keys',
  field: 'WebEnabled',
  reason: 'environment_not_enabled',
  keysOf: ({ inventory }) => keyOf(inventory.environment),
  restriction: (object) =>
    except(Object.keys(fields).filter((where) => numberIn(object, fields[where] ?? '') === 0)),
  fieldOf: (_, [where = '']) => fields[where],
};
