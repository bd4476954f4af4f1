export interface FormerSecret {
  readonly Value: string;
  /** Milliseconds since 1970. */
  readonly UntilMs: number;
}

/** By field. */
export type FormerSecrets = Readonly<Record<string, readonly FormerSecret[]>>;

/** Member of stored documents; no field has this name, so nobody is shown it. */
export const formerSecretsMember = 'FormerSecrets';

/** Undefined if it has none. */
export function formerSecretsIn(document: Readonly<Record<string, unknown>>): FormerSecrets | undefined {
  return document[formerSecretsMember] as FormerSecrets | undefined;
}
