import { answers } from './console/answers.ts';
import { type ConsoleBench, type FilledConsole, startFilledConsole } from './console/console-bench.ts';
import { firstScreen } from './console/first-screen.ts';
import { manyObjects } from './console/many-objects.ts';
import { weight } from './console/weight.ts';
import { wire } from './console/wire.ts';
import { runMeasures } from './run-measures.ts';

/** The console in a browser: `npm run bench:console`. */
await runMeasures<ConsoleBench>({
  script: 'bench:console',
  measures: [weight, firstScreen, manyObjects, wire, answers],
  prepare(tools) {
    let filled: Promise<FilledConsole> | undefined;
    return {
      ...tools,
      filled() {
        filled ??= startFilledConsole(tools.folder);
        return filled;
      },
      async [Symbol.asyncDispose]() {
        const console = await filled;
        await console?.browser.close();
        await console?.server[Symbol.asyncDispose]();
      },
    };
  },
});
