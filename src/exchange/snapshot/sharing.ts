/**
 * How the threads of a process share what the first of them has read and compiled. The others ask it, and do the work
 * themselves where it has no answer in time.
 */
export interface ThreadSharing {
  /** Whether this is the first thread, which the others ask. */
  readonly leads: boolean;
  /** Asks the first thread; undefined where it has no answer within two seconds. */
  ask(topic: string, question: unknown): Promise<unknown>;
  /** How this thread answers a topic: with undefined where it does not know. */
  answer(topic: string, reply: (question: unknown) => Promise<unknown>): void;
}

export const soleThread: ThreadSharing = {
  leads: true,
  ask: async () => undefined,
  answer: () => undefined,
};
