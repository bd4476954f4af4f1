/** What the address of a list's lines says. */
export interface LinesSearch {
  /** A text that the lines are to contain. */
  readonly q?: string | undefined;
  /** From 1. */
  readonly page?: number | undefined;
  /** Revision of the version that another one is compared with. */
  readonly since?: number | undefined;
  /** Revision of that other one; absent for the lines as they are. */
  readonly until?: number | undefined;
  /** Which lines of a comparison are shown; absent for those that were added. */
  readonly side?: 'removed' | undefined;
}
