import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Tools } from '../measure.ts';
import { cpuOf, type Figure } from '../row.ts';
import { type BourseServer, type StartOptions, startBourse } from '../servers/bourse.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { type Request, type Speed, speedOf, warmUp } from '../speed.ts';

/** The Bourse of another checkout, in turns with this one. */
export interface Before extends AsyncDisposable {
  /** What takes part in the turns. */
  readonly contestants: Readonly<Record<string, () => Promise<Speed>>>;
  /** What Bourse's answers take of the processor time that the other's take. */
  figures(speeds: Readonly<Record<string, readonly Speed[]>>): Figure[];
}

const nobody: Before = {
  contestants: {},
  figures: () => [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Starts the Bourse of the checkout that `--against` names, sets it up as `open` does, and warms it up. */
export async function startBefore(
  { against, folder, load, seconds }: Tools,
  options: StartOptions,
  open: (bourse: BourseServer) => Promise<Request>,
): Promise<Before> {
  if (against === undefined) return nobody;
  const ownFolder = join(folder, 'before');
  mkdirSync(ownFolder, { recursive: true });
  const bourse = await startBourse(ownFolder, { ...options, checkout: resolve(against) });
  const server: ServerProcess = bourse.server;
  const request = await open(bourse);
  await warmUp(load, server, request);
  return {
    contestants: { before: () => speedOf(load, server, request, { seconds }) },
    figures: ({ bourse: now = [], before = [] }) => [cpuOf('before', now, before)],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
