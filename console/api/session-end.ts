/** A session that ended while the console was in use. Calls that met it wait here, and are made again afterwards. */
let ended: PromiseWithResolvers<void> | undefined;
const listeners = new Set<() => void>();

function change(next: typeof ended): void {
  ended = next;
  for (const listener of listeners) listener();
}

/** Resolves once there is a session again, which whoever looks at the screen is asked for. */
export function untilLoggedIn(): Promise<void> {
  if (!ended) change(Promise.withResolvers());
  return ended?.promise ?? Promise.resolve();
}

/** Lets the calls go on that wait for a session. */
export function goOn(): void {
  const waited = ended;
  change(undefined);
  waited?.resolve();
}

export const isSessionEnded = (): boolean => ended !== undefined;

/** Calls the listener whenever that changes, until what it returns is called. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
