import { CallError } from '../api/call.ts';

/** What the server says of the value at that path; undefined where it accepts it. */
export const faultAt = (error: Error | null, path: string): string | undefined =>
  error instanceof CallError ? error.faults.find(({ Path }) => Path === path)?.Message : undefined;

/** The error, unless all of it stands at fields of these paths. */
export function errorBeside(error: Error | null, paths: readonly string[]): Error | undefined {
  if (!(error instanceof CallError) || error.faults.length === 0) return error ?? undefined;
  const others = error.faults.filter(({ Path }) => !paths.includes(Path));
  if (others.length === 0) return undefined;
  return new Error(others.map(({ Path, Message }) => `${Path} ${Message}`.trim()).join('; '));
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
