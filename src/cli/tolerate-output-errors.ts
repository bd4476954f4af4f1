/**
 * Lets a command go on to its end where its output cannot be written: a server keeps serving, and work under way is
 * finished. The command then fails with 1. It says why, unless the reader has gone and wants no more (EPIPE).
 */
export function tolerateOutputErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = 1;
    if (error.code !== 'EPIPE') console.error(`What it printed is not whole: ${error.message}`);
  });
  // There is nobody left to tell.
  process.stderr.on('error', () => undefined);
}
