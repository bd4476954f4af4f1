import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../fields/fault.ts';
import { createTimedWork } from '../../shared/timed-work.ts';

const sampleEveryMs = 500;
const resolutionMs = 20;
/** Mean delay of the event loop. */
const delay = { overloadedMs: 400, recoveredMs: 200 } as const;
const samplesInARow = 2;

/** By samples of the event loop's mean delay. */
export interface OverloadDetector {
  /** The mean since the last sample. */
  note(meanDelayMs: number): void;
  isOverloaded(): boolean;
}

/** Overloaded after two slow samples in a row, until two are fine: one long task is no overload. */
export function createOverloadDetector(): OverloadDetector {
  let isOverloaded = false;
  let contrarySamples = 0;
  return {
    note(meanDelayMs) {
      const isContrary = isOverloaded ? meanDelayMs < delay.recoveredMs : meanDelayMs > delay.overloadedMs;
      contrarySamples = isContrary ? contrarySamples + 1 : 0;
      if (contrarySamples < samplesInARow) return;
      isOverloaded = !isOverloaded;
      contrarySamples = 0;
    },
    isOverloaded: () => isOverloaded,
  };
}

function watchEventLoop(app: FastifyInstance, detector: OverloadDetector): void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  const sampling = createTimedWork(sampleEveryMs, () => {
    if (histogram.count > 0) detector.note(histogram.mean / 1e6 - resolutionMs);
    histogram.reset();
  });
  sampling.start();
  app.addHook('onClose', async () => {
    await sampling.close();
    histogram.disable();
  });
}

/** Before any work for them, except on vital routes. */
export function shedLoad(app: FastifyInstance, detector: OverloadDetector): void {
  watchEventLoop(app, detector);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!detector.isOverloaded() || request.routeOptions.config.isVital === true) return done();
    const text = 'The server is overloaded; try again later';
    done(new Refusal('unavailable', text, { retryAfterSeconds: 5 }));
  });
}
