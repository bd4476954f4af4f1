/** A broken rule: where, and what the rule says, for the reader of a failed test. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

/** One line a finding, as editors and terminals link it: `file:line rule`. */
export const inLines = (findings: readonly Finding[]) =>
  findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`).join('\n');
