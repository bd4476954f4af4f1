import { ConfigurationError } from '../config.ts';
import { createProgram } from './program.ts';
import { tolerateOutputErrors } from './tolerate-output-errors.ts';

/** Errors that only a bug in the program raises: whoever reports one needs to know where it happened. */
const programErrors = [TypeError, ReferenceError, RangeError, SyntaxError];

/** What a user reads of a failed command: the message, which is written for users, or the stack where it is a bug. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isSlip = programErrors.some((slip) => error instanceof slip);
  return isSlip ? (error.stack ?? error.message) : error.message;
}

/** Exit code of a failed command. 78 (EX_CONFIG of sysexits.h) tells a supervisor that trying again does not help. */
const exitCodeOf = (error: unknown): number => (error instanceof ConfigurationError ? 78 : 1);

tolerateOutputErrors();
try {
  await createProgram().parseAsync();
} catch (error) {
  console.error(failureText(error));
  process.exitCode = exitCodeOf(error);
}
