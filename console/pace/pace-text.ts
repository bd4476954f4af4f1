import type { AnswerTo } from '../api/answers.ts';
import { countText, moneyText, percentText } from '../parts/value-text.ts';

export type Pace = AnswerTo<'api/figures/pace'>;
/** Of one limit, in one time. */
export type PaceLine = Pace['Lines'][number];

export const partTitles: Readonly<Record<PaceLine['Part'], string>> = {
  day: 'Day',
  flight: 'Flight',
  total: 'In all',
};
/** In the order in which they are chosen from. */
export const partOrder: readonly PaceLine['Part'][] = ['day', 'flight', 'total'];

const momentForm: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
};
type PointKind = 'hour' | 'weekHour' | 'day';
const pointForms: Readonly<Record<PointKind, Intl.DateTimeFormatOptions>> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  weekHour: { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
};
const zoneOf = ({ TimeZone }: Pick<Pace, 'TimeZone'>) => TimeZone || 'UTC';

/** A moment by the object's clock, as `Fri, 20 Nov, 18:00`. */
export const momentText = (pace: Pick<Pace, 'TimeZone'>, time: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...momentForm, timeZone: zoneOf(pace) }).format(Date.parse(time));

/** What points are called, by the object's clock; a day ends at 24:00. */
export function pointNames(
  pace: Pick<Pace, 'TimeZone'>,
  { Part, Step, Points }: PaceLine,
): readonly string[] {
  const byHour: PointKind = Part === 'day' ? 'hour' : 'weekHour';
  const kind = Step === 'Day' ? 'day' : byHour;
  const form = new Intl.DateTimeFormat('en-GB', { ...pointForms[kind], timeZone: zoneOf(pace) });
  return Points.map(({ Time }, place) =>
    kind === 'hour' && place === Points.length - 1 ? '24:00' : form.format(Date.parse(Time)),
  );
}

export const paceAmount = ({ Unit }: Pick<PaceLine, 'Unit'>, value: number): string =>
  Unit === 'Spend' ? moneyText(value) : countText(value);

export type PaceState = 'waiting' | 'done' | 'free' | 'ahead' | 'behind' | 'onPlan';

const [behindBelow, aheadAbove] = [95, 105];
/** Of a limit that is forecast to be used up. */
const nearlyAll = 0.995;

export function stateOf({ Delivered, Limit, Spread, Pace: percent }: PaceLine): PaceState {
  if (percent === null) return 'waiting';
  if (Delivered >= Limit) return 'done';
  if (Spread === 'none') return 'free';
  if (percent < behindBelow) return 'behind';
  return percent > aheadAbove ? 'ahead' : 'onPlan';
}

export const stateTitles: Readonly<Record<PaceState, string>> = {
  waiting: 'Not begun',
  done: 'Used up',
  free: 'Pacing is off',
  ahead: 'Ahead of plan',
  behind: 'Behind plan',
  onPlan: 'On plan',
};

function standing(pace: Pace, line: PaceLine): string {
  const amount = (value: number) => paceAmount(line, value);
  const delivered = `${amount(line.Delivered)} delivered`;
  const due = `${delivered}, ${amount(line.Due ?? 0)} due by now (${percentText(line.Pace ?? 0)})`;
  const texts: Readonly<Record<PaceState, string>> = {
    waiting: `It begins on ${momentText(pace, line.From)}`,
    done: `All ${amount(line.Limit)} are delivered`,
    free: `As fast as possible: ${delivered} of ${amount(line.Limit)}`,
    ahead: due,
    onPlan: due,
    behind: `${due}. It lacks traffic or loses auctions`,
  };
  return texts[stateOf(line)];
}

/** Where it is going, if it goes on so. */
function outlook(pace: Pace, line: PaceLine): string {
  const { Limit, Forecast, ForecastEnd: ends, Delivered } = line;
  if (Forecast === null || Delivered >= Limit) return '';
  const amount = (value: number) => paceAmount(line, value);
  if (ends !== null && Forecast >= nearlyAll * Limit)
    return `At this rate it reaches ${amount(Limit)} on ${momentText(pace, ends)}.`;
  if (ends !== null)
    return `At this rate it stops at ${amount(Forecast)} on ${momentText(pace, ends)}, when its other limit is used up.`;
  return Forecast >= nearlyAll * Limit
    ? `At this rate it uses all of ${amount(Limit)} by the end.`
    : `At this rate it ends with ${amount(Forecast)} of ${amount(Limit)} (${percentText((100 * Forecast) / Limit)}).`;
}

/** How a limit stands and where it is going, in words. */
export function paceWords(pace: Pace, line: PaceLine): string {
  return [`${standing(pace, line)}.`, outlook(pace, line)].filter(Boolean).join(' ');
}
