/** What a program must know to work on the database: a row for each migration that has changed what was there. */
export interface RequiredFormTable {
  migration: string;
  /** The first version that has it. */
  version: string;
}
