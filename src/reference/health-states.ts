/** What people call the states of an object's health, the worst first. */
export const healthStateTexts = {
  not_ready: 'not ready',
  paused: 'paused',
  warning: 'warning',
  limited: 'at a limit',
  ok: 'ok',
  idle: 'idle',
  inactive: 'inactive',
} as const;
export type HealthState = keyof typeof healthStateTexts;

/** The worst first. */
export const healthStateNames = Object.keys(healthStateTexts) as readonly HealthState[];
