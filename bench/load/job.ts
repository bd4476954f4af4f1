/** Requests to send, one after another on each connection, until the time or the amount is reached. */
export interface Job {
  readonly origin: string;
  /** Requested one after another, then again from the first. */
  readonly paths: readonly string[];
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** `[<id>]` in the body or in a header is replaced by a new ID in each request. */
  readonly body?: string;
  readonly connections: number;
  /** Requests a second, sent over at most `connections`; absent = the next is sent when one is answered. */
  readonly perSecond?: number;
  /** Ends after a time or after a number of answers. */
  readonly until: { readonly seconds: number } | { readonly answers: number };
}

export interface Outcome {
  readonly answers: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** Answers that were no 2xx, failed connections and time-outs. */
  readonly failures: number;
  readonly bytes: number;
  /** How long each answer took, in order of arrival. */
  readonly waitsMs: readonly number[];
  /** Share of one core that the generator itself used. Near 1, the generator and not the server was the bottleneck. */
  readonly loadCpuShare: number;
}

/** What the generator's process answers to a job. */
export type Reply = { readonly outcome: Outcome } | { readonly fault: string };
