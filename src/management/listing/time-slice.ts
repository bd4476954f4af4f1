import { setImmediate as turn } from 'node:timers/promises';

const sliceMs = 4;

/** `rest`, called between steps, yields after every four milliseconds. */
export function createTimeSlice(): { readonly rest: () => void | Promise<void> } {
  let fromMs = performance.now();
  const rested = async () => {
    await turn();
    fromMs = performance.now();
  };
  return { rest: () => (performance.now() - fromMs < sliceMs ? undefined : rested()) };
}
