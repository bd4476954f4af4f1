import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Reference } from '../compare.ts';
import type { Tools } from '../measure.ts';
import { type BourseServer, type StartOptions, startBourse } from '../servers/bourse.ts';
import { type Request, warmUp } from '../speed.ts';

/** The Bourse of another checkout as a reference; none where `--against` names no checkout. */
export interface Before extends AsyncDisposable {
  readonly references: readonly Reference[];
}

/** How many requests at a time, and the share of the other's processor time that an answer may take. */
export interface Bound {
  readonly connections: number;
  readonly cpuAtMost: number;
}

/** Starts the Bourse of the checkout that `--against` names, sets it up as `open` does, and warms it up. */
export async function startBefore(
  { against, folder, load }: Tools,
  options: StartOptions,
  open: (bourse: BourseServer) => Promise<{ readonly request: Omit<Request, 'connections'> }>,
  { connections, cpuAtMost }: Bound,
): Promise<Before> {
  if (against === undefined) return { references: [], [Symbol.asyncDispose]: () => Promise.resolve() };
  const ownFolder = join(folder, 'before');
  mkdirSync(ownFolder, { recursive: true });
  const bourse = await startBourse(ownFolder, { ...options, checkout: resolve(against) });
  const { server } = bourse;
  const request = { ...(await open(bourse)).request, connections };
  await warmUp(load, server, request);
  return {
    references: [{ name: 'before', server, request, cpuAtMost }],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
