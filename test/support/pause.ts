import { setTimeout as delay } from 'node:timers/promises';

const restMs = 5;

/** Between two looks at what another process does: looks without rest take the core that it needs. */
export const pause = () => delay(restMs);
