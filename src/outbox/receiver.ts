/** Records in their order. */
export interface Delivery {
  /** The same for the same records however often they come, and for no others. */
  readonly key: string;
  /** Unique name of the records' origin. */
  readonly source: string;
  readonly records: readonly Buffer[];
  /** One per record, rising within a source. */
  readonly places: readonly number[];
  /** Whether it may have come before, so that the receiver must check. */
  readonly isRepeated: boolean;
}

export interface Receiver {
  /** As `clickhouse`; names its file of progress. */
  readonly name: string;
  /** About how many bytes to send at once; by default as many as fit into memory twice. */
  readonly bytesMax?: number;
  /** Durable, and only once per key. Rejects while it cannot. */
  receive(delivery: Delivery): Promise<void>;
}
