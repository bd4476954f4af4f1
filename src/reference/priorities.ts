/** Classes of bids, the lower number first; open bids are in the one that campaigns have by default. */
export const priorities = { first: 1, ofDeal: 5, open: 10, last: 20 } as const;

/** Of open bids, and of campaigns by default. */
export const usualWeight = 100;
