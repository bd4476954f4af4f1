/** IAB Deals API 1.0, "Object: Terms". Times are UTC, in seconds. */
export interface Terms {
  readonly startdate?: string;
  readonly enddate?: string;
  /** ISO 3166-1 alpha-3. */
  readonly countries?: readonly string[];
  /** CPM. */
  readonly dealfloor?: number;
  readonly cur: string;
  readonly guar: 0 | 1;
  readonly pricetype: number;
  readonly units?: number;
  readonly totalcost?: number;
}

/** "Object: Curation". */
export interface Curation {
  readonly curator?: string;
  readonly curfeetype: number;
}

/** `sellerstatus`: an archived deal cannot be active again. */
export const sellerStatuses = {
  0: 'Active',
  1: 'Paused',
  2: 'Pending',
  3: 'Complete',
  4: 'Archived',
} as const;

export type SellerStatus = keyof typeof sellerStatuses;

/** "Object: Deal", as far as Bourse says it. */
export interface PushedDeal {
  readonly id: string;
  readonly name?: string;
  readonly sellerstatus: SellerStatus;
  readonly origin: string;
  readonly seller?: string;
  readonly desc?: string;
  /** At most one of both. */
  readonly wseat?: readonly string[];
  readonly bseat?: readonly string[];
  readonly adtypes?: readonly number[];
  /** 2 = updated while the deal is live. */
  readonly dinventory: 2;
  readonly terms: Terms;
  readonly curation?: Curation;
}

/** With whole seconds, as `2027-01-31T12:00:00Z`. */
export const utcSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
