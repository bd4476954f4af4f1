/*
 * The bid response as Bourse writes it (OpenRTB 2.6 section 4.2; 2.5 has all its members but `mtype`). JSON leaves out
 * `undefined` members.
 */

/** Section 4.2.3. The members of the bidder's own bid that are passed on (`passedOfBid`) are added to these. */
export interface BuiltBid {
  readonly id: string;
  readonly impid: string;
  /** CPM. */
  readonly price: number;
  readonly adm: string;
  readonly nurl: string | undefined;
  readonly burl: string | undefined;
  readonly lurl: string | undefined;
  readonly adid: string | undefined;
  readonly adomain: readonly string[] | undefined;
  readonly bundle: string | undefined;
  readonly crid: string | undefined;
  readonly cat: readonly string[] | undefined;
  readonly attr: readonly number[] | undefined;
  /** 1 banner, 2 video, 3 audio, 4 native; a pop has none. */
  readonly mtype: number | undefined;
  readonly w: number | undefined;
  readonly h: number | undefined;
  /** Most seconds that we accept between auction and impression. */
  readonly exp: number;
}

/** Sections 4.2.1 and 4.2.2. */
export interface BuiltResponse {
  readonly id: string;
  readonly bidid: string;
  readonly cur: 'USD';
  readonly seatbid: readonly { readonly seat: string; readonly bid: readonly BuiltBid[] }[];
}

/** A response without a bid; `nbr` says why (list No-Bid Reason Codes; 500 and over are ours). */
export interface NoBidResponse {
  readonly id: string;
  readonly nbr: number;
  /** What is wrong with the request, for whoever makes it. */
  readonly ext?: { readonly fault: string };
}
