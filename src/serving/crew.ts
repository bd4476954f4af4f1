import { createTokenRates, type TokenRates, tokenRatesMemory } from '../management/token-rates.ts';
import { createWritersTurn, type WritersTurn, writersTurnMemory } from '../store/writers-turn.ts';
import { joinPeers, type Peers } from './peers.ts';

/** What the threads of one exchange have in common, in a form that can be handed to each. */
export interface CrewMemory {
  /** Name of the channel on which they talk. */
  readonly channel: string;
  /** One word: how many threads are there. */
  readonly size: SharedArrayBuffer;
  readonly sizeMax: number;
  readonly turn: SharedArrayBuffer;
  readonly rates: SharedArrayBuffer;
}

/** The threads of one exchange, as one of them sees them. */
export interface Crew {
  readonly peers: Peers;
  readonly writersTurn: WritersTurn;
  readonly rates: TokenRates;
  /** Threads that there may be, this one included. */
  readonly sizeMax: number;
  /** To be called when a thread has come (1) or gone (-1). */
  changeSize(by: 1 | -1): void;
}

/** Memory for an exchange of at most so many threads, of which the first is there. */
export function crewMemory(threads: number): CrewMemory {
  const size = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  Atomics.store(new Int32Array(size), 0, 1);
  return {
    channel: `bourse-${crypto.randomUUID()}`,
    size,
    sizeMax: threads,
    turn: writersTurnMemory(threads),
    rates: tokenRatesMemory(),
  };
}

/** Joins the crew as thread number `self`, from 0. */
export function joinCrew({ channel, size, sizeMax, turn, rates }: CrewMemory, self: number): Crew {
  const words = new Int32Array(size);
  return {
    peers: joinPeers(channel, () => Atomics.load(words, 0) - 1),
    writersTurn: createWritersTurn(turn, self),
    rates: createTokenRates(rates),
    sizeMax,
    changeSize: (by) => void Atomics.add(words, 0, by),
  };
}
