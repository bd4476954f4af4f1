/** What became of it. */
export interface Delivery {
  /** `""` = nothing is wrong. */
  readonly error: string;
  /** What the receiver said, as JSON; with it, an error does not lead to another attempt. */
  readonly result?: string;
}

/** A POST that is not signed, with the receiver's own credentials. */
export interface Call {
  readonly url: string;
  /** Lines of `Name: value`. */
  readonly headers: string;
  readonly readAnswer: (text: string) => Delivery;
}

/** To a mail address the subject, text and file, to a URL the signed body. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  readonly file: { readonly name: string; readonly text: string } | undefined;
  /** Ends it by one click (RFC 8058); absent if that is impossible. */
  readonly unsubscribeUrl?: string;
  /** JSON. */
  readonly body: string;
  /** Signing keys: the current one first, then former ones that still work. */
  readonly secrets: readonly string[];
  /** In the place of the signed POST. */
  readonly call?: Call;
}

/** Never resolves with a result unless it arrived. */
export type SendMessage = (
  target: string,
  message: Message,
  sending: { readonly id: number; readonly nowMs: number },
) => Promise<Delivery>;
