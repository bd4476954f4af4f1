const units = {
  share: { text: '', digits: 2 },
  perSecond: { text: '/s', digits: 0 },
  megabytesPerSecond: { text: ' MB/s', digits: 0 },
  cpuMicrosecondsEach: { text: ' µs CPU each', digits: 0 },
  count: { text: '', digits: 1 },
  cpuMicroseconds: { text: ' µs', digits: 2 },
  milliseconds: { text: ' ms', digits: 1 },
  megabytes: { text: ' MB', digits: 0 },
  kilobytes: { text: ' KB', digits: 0 },
} as const;

const titleWidth = 44;

/** A measured number: what it is, and its unit. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: keyof typeof units;
  /** The bound that it must keep; absent = none. */
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** A line of the table: the ratios and the figures with bounds first (`targets`), then all others. */
export interface Row {
  readonly title: string;
  readonly targets: readonly Figure[];
  readonly details: readonly Figure[];
}

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
