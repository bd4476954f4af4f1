/** Whose turn it is to write, among the threads of one process that share an SQLite file. */
export interface WritersTurn {
  /**
   * Resolves when it is this thread's turn, and after a second even if it is not: the file has its own lock, for which
   * threads then compete as processes do.
   */
  take(): Promise<void>;
  giveBack(): void;
  /** Gives up the turn, or the waiting, of a thread that has ended. */
  forsake(thread: number): void;
}

/** States of a thread, in its word of the shared memory. */
const absent = 0;
const waiting = 1;
const holding = 2;

const nobody = 0;
const waitMsMax = 1000;
/** A thread that has waited longer is handed the turn; before that, whichever thread is quickest takes it. */
const patienceMs = 10;

/** Shared memory for that many threads: the state of each, since when each waits, and which one holds the turn. */
export function writersTurnMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer((2 * threads + 1) * Int32Array.BYTES_PER_ELEMENT);
}

/** Milliseconds of a clock that all threads share, cut to 32 bits: only differences mean something. */
function clockMs(): number {
  return Math.trunc(performance.timeOrigin + performance.now()) | 0;
}

/**
 * The writers' turn for thread number `self` (from 0). A thread that gives it back wakes the next waiting one, but
 * leaves the turn to whoever takes it first, since the woken thread may be busy. Only a thread that has waited for long
 * is handed the turn.
 */
export function createWritersTurn(memory: SharedArrayBuffer, self: number): WritersTurn {
  const words = new Int32Array(memory);
  const threads = (words.length - 1) / 2;
  const holder = 2 * threads;
  const since = (thread: number) => threads + thread;

  /** Takes the turn where nobody holds it; true where somebody does. */
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
  const letGo = (from: number) => {
    const next = nextOf(from);
    if (next !== undefined && isOverdue(next) && handTo(next)) {
      Atomics.notify(words, next);
      return;
    }
    Atomics.store(words, holder, nobody);
    // Looks again: a thread that has come in between saw a holder, and waits.
    const woken = nextOf(from);
    if (woken !== undefined) Atomics.notify(words, woken);
  };
  return {
    async take() {
      Atomics.store(words, since(self), clockMs());
      Atomics.store(words, self, waiting);
      const endMs = performance.now() + waitMsMax;
      while (isTaken()) {
        const woken = Atomics.waitAsync(words, self, waiting, endMs - performance.now());
        // Tries once more: the turn may have been given back before this thread could be woken.
        if (!isTaken()) break;
        await woken.value;
        if (Atomics.load(words, self) === holding) return;
        if (performance.now() >= endMs && Atomics.compareExchange(words, self, waiting, absent) === waiting)
          return;
      }
      Atomics.store(words, self, holding);
      Atomics.notify(words, self);
    },
    giveBack() {
      if (Atomics.exchange(words, self, absent) === holding) letGo(self);
    },
    forsake(thread) {
      if (Atomics.exchange(words, thread, absent) === holding) letGo(thread);
    },
  };
}
