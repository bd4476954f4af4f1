import { serveUntilStopped } from '../../src/cli/serve.ts';
import { watchOutput } from '../../src/cli/watch-output.ts';

/** `bourse serve` that sends itself a signal as a step of its start begins: `<step> <signal> <threads>`. */
const [step, signal, threads] = process.argv.slice(2);
watchOutput();
await serveUntilStopped(Number(threads), {
  onStep: (name) => {
    console.log(`step: ${name}`);
    if (name === step) process.kill(process.pid, signal as NodeJS.Signals);
  },
});
