import type { WriterLock } from '../store/interface.ts';

/** A thread's state, in its word of shared memory. */
const absent = 0;
const waiting = 1;
const holding = 2;

const nobody = 0;
const waitMsMax = 1000;
/** A thread that has waited longer is handed the lock; before that, the quickest takes it. */
const patienceMs = 10;

/** Per thread its state and waiting time, and the lock's holder. */
export function writerLockMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer((2 * threads + 1) * Int32Array.BYTES_PER_ELEMENT);
}

/** Shared by all threads, cut to 32 bits: only differences mean something. */
function clockMs(): number {
  return Math.trunc(performance.timeOrigin + performance.now()) | 0;
}

/** A thread with nothing else to do would end while it waits (Node, `Atomics.waitAsync`), and lose what it writes. */
async function keepingAlive(woken: unknown): Promise<void> {
  const timer = setTimeout(() => undefined, 2 * waitMsMax);
  await woken;
  clearTimeout(timer);
}

/**
 * For thread `self` (from 0). Releasing wakes the next waiting thread, but leaves the lock to whoever is first, because
 * that thread may be busy.
 */
export function createWriterLock(memory: SharedArrayBuffer, self: number): WriterLock {
  const words = new Int32Array(memory);
  const threads = (words.length - 1) / 2;
  const holder = 2 * threads;
  const since = (thread: number) => threads + thread;

  /** Takes the lock if it is free; true if it is not. */
  const isTaken = () => Atomics.compareExchange(words, holder, nobody, self + 1) !== nobody;
  const nextOf = (from: number): number | undefined =>
    Array.from({ length: threads - 1 }, (_, step) => (from + step + 1) % threads).find(
      (thread) => Atomics.load(words, thread) === waiting,
    );
  const isOverdue = (thread: number) => ((clockMs() - Atomics.load(words, since(thread))) | 0) > patienceMs;
  const handTo = (thread: number): boolean => {
    Atomics.store(words, holder, thread + 1);
    return Atomics.compareExchange(words, thread, waiting, holding) === waiting;
  };
  const passOn = (from: number) => {
    const next = nextOf(from);
    if (next !== undefined && isOverdue(next) && handTo(next)) {
      Atomics.notify(words, next);
      return;
    }
    Atomics.store(words, holder, nobody);
    // Again: a thread that came in between saw a holder, and waits.
    const woken = nextOf(from);
    if (woken !== undefined) Atomics.notify(words, woken);
  };
  return {
    async acquire() {
      Atomics.store(words, since(self), clockMs());
      Atomics.store(words, self, waiting);
      const endMs = performance.now() + waitMsMax;
      while (isTaken()) {
        // Others took it for dead; it waits again.
        Atomics.compareExchange(words, self, absent, waiting);
        const woken = Atomics.waitAsync(words, self, waiting, endMs - performance.now());
        // Once more: the lock may have been released before this thread could be woken.
        if (!isTaken()) break;
        await keepingAlive(woken.value);
        if (Atomics.load(words, self) === holding) return;
        if (performance.now() >= endMs && Atomics.compareExchange(words, self, waiting, absent) === waiting)
          return;
      }
      Atomics.store(words, self, holding);
      Atomics.notify(words, self);
    },
    release(thread = self) {
      if (Atomics.exchange(words, thread, absent) === holding) passOn(thread);
    },
  };
}
