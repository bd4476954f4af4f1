import type { Generated } from 'kysely';

/** Of the key itself only its hash is stored. */
interface EdgeKeyTable {
  id: Generated<number>;
  hash: string;
  label: string;
  created_at: number;
}

/** After the first, which is a secret. */
interface TrackerKeyTable {
  id: number;
  /** Base64. */
  secret: string;
  /** Seals trackers from then on; milliseconds since 1970. */
  from_ms: number;
}

export interface EdgeTables {
  edge_key: EdgeKeyTable;
  tracker_key: TrackerKeyTable;
}
