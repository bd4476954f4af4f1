import type { FirstAdministrator } from '../../identity/people.ts';

/** Prints the administrator that the first start made, and a made-up password: it is never shown again. */
export function printAdministrator({ mail, madeUpPassword }: FirstAdministrator): void {
  console.log(`Administrator: ${mail}`);
  if (madeUpPassword === undefined) console.log('Password: as set in BOURSE_ADMIN_PASSWORD');
  else console.log(`Password (shown only this once): ${madeUpPassword}`);
}
