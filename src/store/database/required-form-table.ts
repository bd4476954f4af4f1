/** One row per migration that changed existing things. */
export interface RequiredFormTable {
  migration: string;
  /** The first version with it. */
  version: string;
}
