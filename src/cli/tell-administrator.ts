import type { FirstAdministrator } from '../identity/people.ts';

/** Prints whom the first start has made, and the password where it was made up: it is never shown again. */
export function tellAdministrator({ mail, madeUpPassword }: FirstAdministrator): void {
  console.log(`Administrator: ${mail}`);
  if (madeUpPassword === undefined) console.log('Password: as set in BOURSE_ADMIN_PASSWORD');
  else console.log(`Password (shown only this once): ${madeUpPassword}`);
}
