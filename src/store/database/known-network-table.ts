/** Of users' logins, as keyed hashes. */
export interface KnownNetworkTable {
  user_id: number;
  network: string;
  /** Of the last login, in milliseconds since 1970. */
  seen_at: number;
}
