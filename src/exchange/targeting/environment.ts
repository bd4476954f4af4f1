import { allButKeys, singleKey } from './keys.ts';
import type { KeyRule } from './rule.ts';

const fields = { web: 'WebEnabled', app: 'AppEnabled' } as const;

/** `WebEnabled` 0: no sites; `AppEnabled` 0: no apps. */
export const environment: KeyRule = {
  form: 'keys',
  field: 'WebEnabled',
  reason: 'environment_not_enabled',
  keysOf: ({ inventory }) => singleKey(inventory.environment),
  restriction: ({ settings }) => {
    const { WebEnabled, AppEnabled } = settings;
    return allButKeys([...(WebEnabled === 0 ? ['web'] : []), ...(AppEnabled === 0 ? ['app'] : [])]);
  },
  fieldOf: (_, [where]) => (where === 'web' || where === 'app' ? fields[where] : undefined),
};
