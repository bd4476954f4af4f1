/** The first thread reads and compiles, the others ask it, and do the work themselves if it does not answer in time. */
export interface ThreadSharing {
  /** Whether this is the first thread, which the others ask. */
  readonly leads: boolean;
  /** Undefined without an answer within two seconds. */
  ask(topic: string, question: unknown): Promise<unknown>;
  /** Answers a topic: with undefined if this thread does not know. */
  answer(topic: string, reply: (question: unknown) => Promise<unknown>): void;
}

export const soleThread: ThreadSharing = {
  leads: true,
  ask: async () => undefined,
  answer: () => undefined,
};
