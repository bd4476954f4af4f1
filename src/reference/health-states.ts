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

/** Whether somebody should look at an object in this state: always, or if it earns less than it did. */
export const healthAttention: Readonly<Record<HealthState, 'always' | 'lost' | 'never'>> = {
  not_ready: 'always',
  paused: 'always',
  warning: 'always',
  limited: 'never',
  ok: 'never',
  idle: 'lost',
  inactive: 'never',
};

/** The worst first. */
export const healthStateNames = Object.keys(healthStateTexts) as readonly HealthState[];
