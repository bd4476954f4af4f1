import { ConfigurationError } from '../config.ts';
import { createProgram } from './program.ts';
import { tolerateOutputErrors } from './tolerate-output-errors.ts';

/** Bugs: whoever reports one needs to know where it happened. */
const programErrors = [TypeError, ReferenceError, RangeError, SyntaxError];

/** The message, which is for users, or a bug's stack. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isSlip = programErrors.some((slip) => error instanceof slip);
  return isSlip ? (error.stack ?? error.message) : error.message;
}

/** 78 (EX_CONFIG of sysexits.h) tells a supervisor that a retry does not help. */
const exitCodeOf = (error: unknown): number => (error instanceof ConfigurationError ? 78 : 1);

tolerateOutputErrors();
try {
  await createProgram().parseAsync();
} catch (error) {
  console.error(failureText(error));
  process.exitCode = exitCodeOf(error);
}
