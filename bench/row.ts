import { median, type Speed } from './speed.ts';

/** How a figure is printed: its unit, and its digits after the point. */
const units = {
  share: { text: '', digits: 2 },
  perSecond: { text: '/s', digits: 0 },
  megabytesPerSecond: { text: ' MB/s', digits: 0 },
  cpuMicrosecondsEach: { text: ' µs CPU each', digits: 0 },
  count: { text: '', digits: 1 },
  cpuMicroseconds: { text: ' µs', digits: 2 },
  milliseconds: { text: ' ms', digits: 1 },
  megabytes: { text: ' MB', digits: 0 },
} as const;

const titleWidth = 44;

/** A measured number: what it is, and its unit. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: keyof typeof units;
  /** The bound that it must keep; absent = none. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A line of the table: the ratios and the figures with bounds first (`judged`), then all others. */
export interface Row {
  readonly title: string;
  readonly targets: readonly Figure[];
  readonly details: readonly Figure[];
}

/** Whether a figure keeps its bounds. */
export function isReached({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: Figure): boolean {
  return value >= atLeast && value <= atMost;
}

function formatted(value: number, unit: Figure['unit']): string {
  const { digits } = units[unit];
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function targetText(figure: Figure): string {
  const { atLeast, atMost, unit } = figure;
  const bound = atLeast ?? atMost;
  if (bound === undefined) return '';
  const sign = atLeast === undefined ? '≤' : '≥';
  return ` (${sign} ${bound.toFixed(unit === 'share' ? 2 : 0)} ${isReached(figure) ? 'ok' : 'MISSED'})`;
}

function figureText(figure: Figure): string {
  const amount = formatted(figure.value, figure.unit) + units[figure.unit].text;
  const words = figure.unit === 'share' ? [amount, figure.what] : [figure.what, amount];
  return words.filter((word) => word !== '').join(' ') + targetText(figure);
}

/** The row in one line. */
export function rowText({ title, targets, details }: Row): string {
  const figures = [...targets.map(figureText), details.map(figureText).join(', ')];
  return [title.padEnd(titleWidth), ...figures].join('   ').trimEnd();
}

/** The quantity of a speed that is compared. */
export type Quantity = 'answersPerSecond' | 'bytesPerSecond';

/** Bourse's speed as a share of a reference's: the median of the shares of all rounds. */
export function shareOf(
  what: string,
  speeds: { bourse: readonly Speed[]; reference: readonly Speed[]; by: Quantity },
): Figure {
  const { bourse, reference, by } = speeds;
  const shares = bourse.map((speed, round) => speed[by] / (reference[round]?.[by] ?? Number.NaN));
  return { what: `of ${what}`, value: median(shares), unit: 'share' };
}

/** The same share by the processor time of an answer, which other work on the machine disturbs least. */
export function cpuShareOf(what: string, bourse: readonly Speed[], reference: readonly Speed[]): Figure {
  const shares = bourse.map(({ cpuUs }, round) => (reference[round]?.cpuUs ?? Number.NaN) / cpuUs);
  return { what: `of ${what} by CPU`, value: median(shares), unit: 'share' };
}

/** The processor time of an answer as a share of another's: below 1, Bourse takes less. */
export function cpuOf(what: string, bourse: readonly Speed[], reference: readonly Speed[]): Figure {
  const shares = bourse.map(({ cpuUs }, round) => cpuUs / (reference[round]?.cpuUs ?? Number.NaN));
  return { what: `of the CPU of ${what}`, value: median(shares), unit: 'share' };
}

/** A contestant's own speed: the median of its rounds. */
export function speedFigures(what: string, speeds: readonly Speed[], by: Quantity): Figure[] {
  const value = median(speeds.map((speed) => speed[by]));
  const cpu: Figure = {
    what: 'with',
    value: median(speeds.map(({ cpuUs }) => cpuUs)),
    unit: 'cpuMicrosecondsEach',
  };
  if (by === 'answersPerSecond') return [{ what, value, unit: 'perSecond' }, cpu];
  return [{ what, value: value / 1e6, unit: 'megabytesPerSecond' }];
}
