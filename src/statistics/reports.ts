/** One kind of report: where it is found, and what it is about. */
export interface Report {
  readonly path: string;
  /** Entity whose username and `StatsAuth` the caller gives. It decides which amount the report shows. */
  readonly account: 'Publisher' | 'Advertiser';
  /** Entity that the report is about: the account's, or that of the object whose ID is in `parameter`. */
  readonly kind: string;
  readonly parameter?: 'zone' | 'feed';
  /** A row for each subid. */
  readonly isBySubId?: boolean;
  /** Whether it is a URL that clients of the API know; the others are ours (decisions, "Statistics"). */
  readonly isDocumented: boolean;
}

const publisher = { account: 'Publisher', isDocumented: true } as const;
const advertiser = { account: 'Advertiser', isDocumented: true } as const;

/** Every report, at the paths that entities hand out (decisions, "Statistics"). */
export const reports: readonly Report[] = [
  { ...publisher, path: '/api/ortb/stats/publisher/general', kind: 'Publisher' },
  { ...advertiser, path: '/api/ortb/stats/advertiser/general', kind: 'Advertiser' },
  { ...publisher, path: '/api/ortb/stats/publisher/vast', kind: 'VastTag', parameter: 'zone' },
  { ...publisher, path: '/api/ortb/stats/publisher/rtb', kind: 'RtbEp', parameter: 'zone' },
  {
    ...publisher,
    path: '/api/ortb/stats/publisher/banner',
    kind: 'BannerEp',
    parameter: 'zone',
    isDocumented: false,
  },
  {
    ...advertiser,
    path: '/api/ortb/stats/advertiser/rtb',
    kind: 'DspRtbEp',
    parameter: 'zone',
    isDocumented: false,
  },
  { ...publisher, path: '/api/xml/stats/publisher/pop', kind: 'PopFeed', parameter: 'feed' },
  {
    ...publisher,
    path: '/api/xml/stats/publisher/pop/subid',
    kind: 'PopFeed',
    parameter: 'feed',
    isBySubId: true,
  },
  { ...advertiser, path: '/api/xml/stats/advertiser/pop', kind: 'DspPopFeed', parameter: 'feed' },
];

const kindsBySubId = new Set(reports.filter(({ isBySubId }) => isBySubId).map(({ kind }) => kind));

/** Whether objects of that kind have a report by subid, and are therefore counted by subid. */
export function countsSubIds(kind: string): boolean {
  return kindsBySubId.has(kind);
}
