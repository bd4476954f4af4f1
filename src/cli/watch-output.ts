/**
 * Lets a command go on to its end where what it prints cannot be written: a server serves on, and what is under way is
 * finished. It then fails with 1, and says why, but where whoever read has gone and wants no more (EPIPE).
 */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = 1;
    if (error.code !== 'EPIPE') console.error(`What it printed is not whole: ${error.message}`);
  });
  // There is nobody left to tell.
  process.stderr.on('error', () => undefined);
}
