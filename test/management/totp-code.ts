import { TOTP } from 'otpauth';

const stepMs = 30_000;

/** The code that an app shows for a secret, so many steps from now. Those of now and the next step are accepted, even if a step begins meanwhile. */
export function codeOf(secret: string, stepsAhead = 0, nowMs = Date.now()): string {
  return new TOTP({ secret }).generate({ timestamp: nowMs + stepsAhead * stepMs });
}
