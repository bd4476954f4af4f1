/** What is sent: to a mail address the subject, the text and the file, to a URL the body with its signatures. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  /** A file beside the text, as CSV. */
  readonly file: { readonly name: string; readonly text: string } | undefined;
  /** Where whoever gets it ends that, by one click (RFC 8058); absent where they cannot. */
  readonly unsubscribeUrl?: string;
  /** JSON. */
  readonly body: string;
  /** Keys of its signatures: the present one first, then former ones that still work. */
  readonly secrets: readonly string[];
}

/** How something is sent. Resolves with why it failed, `""` where it has arrived. */
export type SendMessage = (
  target: string,
  message: Message,
  sending: { readonly id: number; readonly nowMs: number },
) => Promise<string>;
