import type { SentBidObject } from './objects/bid.ts';

/* The bid response as Bourse writes it (OpenRTB 2.6 section 4.2). JSON leaves out `undefined` members. */

/** An impression of the request that was left out: its place, its ID if it has one, and what is wanted where. */
export interface DroppedImpReport {
  readonly imp: number;
  readonly id?: string;
  readonly path: string;
  readonly fault: string;
}

/** Sections 4.2.1 and 4.2.2. */
export interface BuiltResponse {
  readonly id: string;
  readonly bidid: string;
  readonly cur: 'USD';
  readonly seatbid: readonly { readonly seat: string; readonly bid: readonly SentBidObject[] }[];
  readonly ext?: { readonly dropped: readonly DroppedImpReport[] };
}

/** A response without a bid; `nbr` says why (list No-Bid Reason Codes; 500 and over are ours). */
export interface NoBidResponse {
  readonly id: string;
  readonly nbr: number;
  /** What is wrong with the request, for whoever makes it. */
  readonly ext?: { readonly fault: string };
}
