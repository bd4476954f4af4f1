import { readFileSync, writeFileSync } from 'node:fs';

/** A number that was measured, and where. */
export interface MeasuredFigure {
  readonly value: number;
  readonly unit: string;
  readonly what: string;
  /** What measured it, and when. */
  readonly from: string;
}

const names = [
  'auctionMicros',
  'callMicros',
  'requestBytes',
  'demandAnswerBytes',
  'answerBytes',
  'threadMegabytes',
  'pairMicros',
  'pairLogBytes',
  'eventMicros',
  'eventLogBytes',
  'reportMicros',
  'limitMicros',
  'factMicros',
  'factBytes',
  'outboxRowBytes',
  'cubeRowBytes',
] as const;

export type FigureName = (typeof names)[number];

/** What was measured, and on what. */
export interface Figures {
  readonly machine: string;
  readonly figures: Readonly<Record<FigureName, MeasuredFigure>>;
}

const file = new URL('../figures.json', import.meta.url);

/** The figures of `bench/figures.json`. Throws where one is missing or is no number above 0. */
export function readFigures(): Figures {
  const read = JSON.parse(readFileSync(file, 'utf8')) as Figures;
  for (const name of names) {
    const value = read.figures[name]?.value;
    if (!(typeof value === 'number' && value > 0))
      throw new Error(`bench/figures.json has no ${name} above 0`);
  }
  return read;
}

/** Puts newly measured values in the place of those before. */
export function writeFigures(
  before: Figures,
  values: Readonly<Partial<Record<FigureName, number>>>,
  from: string,
): Figures {
  const figures = { ...before.figures };
  for (const [name, value] of Object.entries(values) as [FigureName, number][]) {
    figures[name] = { ...figures[name], value: Number(value.toPrecision(3)), from };
  }
  const written = { ...before, figures };
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
  return written;
}
