/** Networks that users have logged in from, as keyed hashes. */
export interface KnownNetworkTable {
  user_id: number;
  network: string;
  /** Milliseconds since 1970, of the last login. */
  seen_at: number;
}
