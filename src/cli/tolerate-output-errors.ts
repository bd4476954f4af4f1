/** Lets a command finish; it then fails with 1, and says why unless it was EPIPE. */
export function tolerateOutputErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = 1;
    if (error.code !== 'EPIPE') console.error(`The output is incomplete: ${error.message}`);
  });
  // There is nobody left to tell.
  process.stderr.on('error', () => undefined);
}
