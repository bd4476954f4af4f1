import { workerData } from 'node:worker_threads';
import type { ThreadStart } from '../main.ts';

/** Of source or build, whichever runs; threads start with it. */
export const servingThread = import.meta.url;

/** Started as a thread, not just imported for its URL. */
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
  // The thread's end would drop unwritten lines.
  await lines.drained();
  process.exit();
}

if (isStart(workerData)) await serve(workerData);
