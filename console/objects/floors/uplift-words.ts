import type { AnswerTo } from '../../api/answers.ts';
import { moneyText, percentText } from '../../parts/value-text.ts';

/** What a floor rule has brought, against its control group. */
export type RuleFigures = AnswerTo<'api/floorrule/figures'>;

const hundred = 100;
const minus = '−';
const signed = (value: number, text: string) => `${value < 0 ? minus : '+'}${text}`;
/** Differences of less are worth a decimal place. */
const wholeFrom = 1;

/** Of the control group's revenue; in money if that is 0. */
function changeText(usd: number, of: number): string {
  if (of === 0) return signed(usd, moneyText(Math.abs(usd)));
  const percent = (hundred * Math.abs(usd)) / of;
  return signed(usd, percentText(percent < wholeFrom ? percent : Math.round(percent)));
}

/** In words that need no statistics. */
export function upliftWords({ Control, Uplift }: Pick<RuleFigures, 'Control' | 'Uplift'>): string {
  if (!Uplift) return 'Not enough traffic yet to tell.';
  const { PerThousand, Low, High } = Uplift;
  const [change, least, most] = [PerThousand, Low, High].map((usd) => changeText(usd, Control.PerThousand));
  const range = `between ${least} and ${most}`;
  if (Low <= 0 && High >= 0) return `No clear difference: ${range} revenue per 1,000 requests.`;
  return `${change} revenue per 1,000 requests, ${range}.`;
}
