import type { Generated } from 'kysely';

/** Keys by which edges follow this installation. Of the key itself only its hash is kept. */
interface EdgeKeyTable {
  id: Generated<number>;
  hash: string;
  label: string;
  /** Milliseconds since 1970. */
  created_at: number;
}

/** Keys of trackers after the first one, which is a secret. */
interface TrackerKeyTable {
  id: number;
  /** Base64. */
  secret: string;
  /** From when on trackers are sealed with it, in milliseconds since 1970. */
  from_ms: number;
}

export interface EdgeTables {
  edge_key: EdgeKeyTable;
  tracker_key: TrackerKeyTable;
}
