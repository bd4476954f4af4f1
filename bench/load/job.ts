/** Requests to send, one after another on each connection, until the time or the amount is reached. */
export interface Job {
  /** Where the server listens. */
  readonly origin: string;
  /** Asked for one after another, and from the first again. */
  readonly paths: readonly string[];
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** `[<id>]` in it, or in a header, becomes another text in each request. */
  readonly body?: string;
  readonly connections: number;
  /** So many requests in a second, over at most that many connections; absent: as many as are answered. */
  readonly perSecond?: number;
  /** One of the two. */
  readonly until: { readonly seconds: number } | { readonly answers: number };
}

/** What came of a job. */
export interface Outcome {
  readonly answers: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** Answers that were no 2xx, failed connections and time-outs. */
  readonly failures: number;
  readonly bytes: number;
  /** How long each answer took, in order of arrival. */
  readonly waitsMs: readonly number[];
  /** Share of one core that the generator itself used: near 1, it was the brake. */
  readonly loadCpuShare: number;
}

/** What the generator's process answers to a job. */
export type Reply = { readonly outcome: Outcome } | { readonly fault: string };
