/** A report as it is sent. */
export interface Parcel {
  readonly name: string;
  /** What it is about, as `2027-01-01 to 2027-01-31 (Europe/Berlin)`. */
  readonly period: string;
  /** Name of the attached file, without what some system takes for a path. */
  readonly fileName: string;
  readonly rows: number;
  /** CSV for mail, the API's answer for a webhook. */
  readonly text: string;
  /** Keys of its signatures: the present one first, then former ones that still work. */
  readonly secrets: readonly string[];
}

/** How something is sent. Resolves with why it failed, `""` where it has arrived. */
export type Send = (
  target: string,
  parcel: Parcel,
  sending: { readonly id: number; readonly nowMs: number },
) => Promise<string>;
