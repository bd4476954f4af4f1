import type { SentBidObject } from './objects/bid.ts';

/* OpenRTB 2.6 section 4.2, as Bourse writes it. JSON leaves out `undefined` members. */

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
  readonly cur: string;
  readonly seatbid: readonly { readonly seat: string; readonly bid: readonly SentBidObject[] }[];
  readonly ext?: { readonly dropped: readonly DroppedImpReport[] };
}

/** `nbr` says why (No-Bid Reason Codes; 500 and over are ours). */
export interface NoBidResponse {
  readonly id: string;
  readonly nbr: number;
  /** What is wrong with the request, for its developer. */
  readonly ext?: { readonly fault: string };
}
