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
}

/** Resolves with why it failed, `""` = arrived. */
export type SendMessage = (
  target: string,
  message: Message,
  sending: { readonly id: number; readonly nowMs: number },
) => Promise<string>;
