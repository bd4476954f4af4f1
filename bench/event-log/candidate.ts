/** A log, whatever it is made of. */
export interface Candidate {
  /** Resolves once the record is durable. */
  append(record: Uint8Array): Promise<unknown>;
  /** The records that follow those read before. */
  read(bytesMax: number): Promise<readonly Uint8Array[]>;
  /** Deletes, durably, what was read. */
  drop(): Promise<void>;
  /** On disk. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}
