/** A credential that was replaced, and still works for a while. */
export interface FormerSecret {
  readonly Value: string;
  /** Milliseconds since 1970. */
  readonly UntilMs: number;
}

/** Former credentials by the name of their field. */
export type FormerSecrets = Readonly<Record<string, readonly FormerSecret[]>>;

/** Member of stored documents that holds them. No field has this name: nobody is shown it. */
export const formerSecretsMember = 'FormerSecrets';

/** The former credentials in a stored document; undefined where it has none. */
export function formerSecretsIn(document: Readonly<Record<string, unknown>>): FormerSecrets | undefined {
  return document[formerSecretsMember] as FormerSecrets | undefined;
}
