import type { Health } from '../../src/answers/object-health.ts';
import { reasonText } from '../parts/reason-text.ts';
import { countText, percentText } from '../parts/value-text.ts';
import { isSeldomMatched } from './health.ts';

/** A text, or a moment of today. */
export type HealthCell = string | { readonly time: string };

interface HealthColumn {
  readonly title: string;
  readonly help: string;
  readonly cell: (health: Health) => HealthCell;
  /** Whether the cell says that something is wrong. */
  readonly isTrouble?: (health: Health) => boolean;
  readonly isText?: boolean;
}

const failuresMost = 1 / 3;
const invalidMost = 10;
const share = (part = 0, all = 0) =>
  all === 0 ? '–' : `${countText(part)} · ${percentText((100 * part) / all)}`;
const shareText = (percent: number | null | undefined) => (percent == null ? '–' : percentText(percent));
const msText = (ms: number | null | undefined) => (ms == null ? '–' : `${Math.round(ms)} ms`);
const isMost = (part = 0, all = 0) => all > 0 && part > all * failuresMost;

const last: HealthColumn = {
  title: 'Last request',
  help: 'When it was last called',
  isText: true,
  cell: ({ LastRequest }) => (LastRequest ? { time: LastRequest } : 'none for a day'),
};

const demand: readonly HealthColumn[] = [
  { title: 'Calls', help: 'In the last hour', cell: ({ Calls = 0 }) => countText(Calls) },
  {
    title: 'Timeouts',
    help: 'Calls not answered in time',
    cell: ({ Timeouts, Calls }) => share(Timeouts, Calls),
    isTrouble: ({ Timeouts, Calls }) => isMost(Timeouts, Calls),
  },
  {
    title: 'Errors',
    help: 'Calls that failed, or whose answer could not be read',
    cell: ({ Errors, Calls }) => share(Errors, Calls),
    isTrouble: ({ Errors, Calls }) => isMost(Errors, Calls),
  },
  {
    title: 'Unavailable',
    help: 'Timeouts, errors and calls not made because the partner was paused, as a share of all attempts',
    cell: ({ UnavailableRate, CallAttempts = 0 }) =>
      CallAttempts === 0 ? '–' : percentText(UnavailableRate ?? 0),
    isTrouble: ({ UnavailableRate }) => (UnavailableRate ?? 0) > 100 * failuresMost,
  },
  {
    title: 'No bids',
    help: 'Answers without a bid',
    cell: ({ NoBids, Calls }) => share(NoBids, Calls),
  },
  {
    title: 'Match rate',
    help: "Calls with the partner's own ID of the viewer, if it has a user sync",
    cell: ({ MatchRate }) => shareText(MatchRate),
    isTrouble: isSeldomMatched,
  },
  ...([50, 95, 99] as const).map(
    (percent): HealthColumn => ({
      title: `p${percent}`,
      help: `Time within which ${percent} of 100 calls were answered`,
      cell: (health) => msText(health[`LatencyP${percent}`]),
    }),
  ),
  {
    title: 'Bids refused',
    help: 'The most frequent reason for refused bids, and how many it refused',
    isText: true,
    cell({ Refusals }) {
      const [most] = Refusals.filter(({ LostValue, Reason }) => LostValue > 0 && Reason !== 'lost');
      return most ? `${reasonText(most.Reason)} ${countText(most.Refusals)}` : '–';
    },
  },
  {
    title: 'Last fault',
    help: 'When its last faulty answer came',
    isText: true,
    cell: ({ LastFault }) => (LastFault ? { time: LastFault.Time } : '–'),
  },
];

const supply: readonly HealthColumn[] = [
  {
    title: 'Requests',
    help: 'In the last hour',
    cell: ({ Requests = 0 }) => countText(Requests),
  },
  {
    title: 'Impressions',
    help: 'Of the last hour',
    cell: ({ Impressions = 0 }) => countText(Impressions),
  },
  {
    title: 'Fill',
    help: 'Impressions per 100 requests',
    cell: ({ FillRate }) => shareText(FillRate),
    isTrouble: ({ Impressions = 0, Requests = 0 }) => Requests >= 100 && Impressions === 0,
  },
  {
    title: 'Invalid',
    help: 'Invalid traffic per 100 requests, impressions and clicks',
    cell: ({ InvalidRate }) => shareText(InvalidRate),
    isTrouble: ({ InvalidRate }) => (InvalidRate ?? 0) > invalidMost,
  },
  {
    title: 'Ended most by',
    help: 'What ended most auctions before any demand was called',
    isText: true,
    cell: ({ Refusals: [most] }) => (most ? `${reasonText(most.Reason)} ${countText(most.Refusals)}` : '–'),
  },
  last,
];

/** What the health of each side shows. */
export const columnsOf = { demand, supply } as const;
