import { workerData } from 'node:worker_threads';
import type { ThreadStart } from '../main.ts';

/** This module's URL, by which a thread is started with it: of the source or of the build, whichever runs. */
export const servingThread = import.meta.url;

/** Whether this module was started as a thread, and not just imported for its URL. */
function isStart(data: unknown): data is ThreadStart {
  return typeof data === 'object' && data !== null && 'groupMemory' in data;
}

async function serve(start: ThreadStart): Promise<void> {
  const [{ serveInThread }, { createLogger, stderrLines }] = await Promise.all([
    import('../main.ts'),
    import('./log.ts'),
  ]);
  const lines = stderrLines();
  await serveInThread(start, createLogger(start.config.logLevel, lines));
  // The thread's end would drop what is not written yet.
  await lines.drained();
  process.exit();
}

if (isStart(workerData)) await serve(workerData);
