import { serveUntilStopped } from '../../src/cli/serve.ts';
import { tolerateOutputErrors } from '../../src/cli/tolerate-output-errors.ts';

/** `bourse serve` that sends itself a signal as a step of its start begins: `<step> <signal> <threads>`. */
const [step, signal, threads] = process.argv.slice(2);
tolerateOutputErrors();
await serveUntilStopped(Number(threads), {
  onStep: (name) => {
    console.log(`step: ${name}`);
    if (name === step) process.kill(process.pid, signal as NodeJS.Signals);
  },
});
