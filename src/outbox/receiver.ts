/** What a receiver is given: records, in their order. */
export interface Delivery {
  /** The same for the same records, however often they come, and for no others. */
  readonly key: string;
  /** Of whom the records are: a name that nobody else has. */
  readonly source: string;
  readonly records: readonly Buffer[];
  /** Of each record a number that is greater than those of all before it of the same source. */
  readonly places: readonly number[];
  /** Whether it may have come before, so that it must be asked whether it is there. */
  readonly isRepeated: boolean;
}

/** Who is sent what the outbox holds: each has a place of its own in it. */
export interface Receiver {
  /** Of its file with the place; as `clickhouse`. */
  readonly name: string;
  /** About how many bytes it is to be given at once; as many as fit into memory twice by default. */
  readonly bytesMax?: number;
  /** Takes a delivery, durably, and only once under its key. Rejects as long as it cannot. */
  receive(delivery: Delivery): Promise<void>;
}
