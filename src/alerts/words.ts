import type { AlertConditionName, AlertGroup } from '../reference/alert-conditions.ts';
import { type Measure, type MeasureName, measures } from '../reference/measures.ts';
import { ownMember } from '../reference/own-member.ts';
import { conditionOf, type Rule, type RuleFilter, shareOf } from './rule.ts';

/** Abbreviations as people write them. */
const written: Readonly<Record<string, string>> = { Ctr: 'CTR', Ecpm: 'eCPM', Rcpm: 'rCPM' };

/** `TimeoutRate` is "timeout rate". */
export const inSentence = (name: string): string =>
  ownMember(written, name) ??
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace('latency p', 'latency P');

const groups: Readonly<Record<AlertGroup, string>> = {
  Publisher: 'publisher',
  Supply: 'supply object',
  Advertiser: 'advertiser',
  Demand: 'demand object',
};

const units: Readonly<Record<string, string>> = { '%': ' %', USD: ' USD', CPM: ' USD CPM', ms: ' ms' };

/** As `61.5 %`. */
export function figureText(value: number, measure: MeasureName | undefined): string {
  const { unit }: Partial<Measure> = measure === undefined ? {} : measures[measure];
  const digits = Math.abs(value) < 1 ? 6 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits }) + (units[unit ?? ''] ?? '');
}

const lengths = [
  [1440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** As "2 hours". */
export function durationText(minutes: number): string {
  const [length, unit] = lengths.find(([of]) => minutes >= of && minutes % of === 0) ?? [1, 'minute'];
  const count = minutes / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const valuesShown = 3;

function filterText({ Field, Operator, Values }: RuleFilter): string {
  const shown = Values.slice(0, valuesShown).map((value) => (value === '' ? 'none' : String(value)));
  const more = Values.length > valuesShown ? ` or ${Values.length - valuesShown} more` : '';
  return `${inSentence(Field)} ${Operator === 'NotIn' ? 'is not' : 'is'} ${shown.join(', ')}${more}`;
}

const whereText = (filters: readonly RuleFilter[]) =>
  filters.length === 0 ? '' : `, where ${filters.map(filterText).join(' and ')}`;

const aboutObjects: Readonly<Partial<Record<AlertConditionName, string>>> = {
  LimitReached: 'a limit or budget of a supply or demand object is reached',
  PartnerPaused: 'a partner is not called for a while because its calls fail',
  AdsTxtMissing:
    "requests of a supply object were refused in the last hour because the site's ads.txt does not name the seller",
  CurrencyRefused:
    'requests or bids were refused in the last hour because there was no current exchange rate of their currency',
};

const isPlural = (word: string) => word.endsWith('s');

/** "The clicks are", "the revenue is". */
function subjectText(measure: string): string {
  const what = inSentence(measure);
  return `the ${what} ${isPlural(what) ? 'are' : 'is'}`;
}

function comparisonText({ condition, measure, threshold, daysBefore }: Rule): string {
  const way = condition === 'FallsBy' ? 'lower' : 'higher';
  const before = daysBefore === 1 ? 'the day before' : 'a week before';
  return `${subjectText(measure ?? '')} ${figureText(threshold, undefined)} % or more ${way} than at the same time ${before}`;
}

function boundText({ condition, measure, threshold }: Rule): string {
  if (measure === undefined) return '';
  const what = inSentence(measure);
  if (condition === 'Nothing') {
    if (shareOf(measure) !== undefined) return `the ${what} is 0`;
    return isPlural(what) ? `there are no ${what}` : `there is no ${what}`;
  }
  const way = condition === 'Below' ? 'below' : 'above';
  return `${subjectText(measure)} ${way} ${figureText(threshold, measure)}`;
}

function volumeText({ minVolume, volumeOf, condition }: Rule): string {
  if (volumeOf === undefined) return '';
  const when = condition === 'FallsBy' ? 'there were' : 'there are';
  return `, if ${when} at least ${figureText(minVolume, volumeOf)} ${inSentence(volumeOf)}${condition === 'FallsBy' ? ' then' : ''}`;
}

/** Where it ends, if not at the bound. */
function marginText({ condition, threshold, margin, measure }: Rule): string {
  if (margin === 0) return '';
  if (condition === 'Nothing') return ` (above ${figureText(margin, measure)})`;
  if (condition === 'Below') return ` (${figureText(threshold + margin, measure)} or more)`;
  if (condition === 'Above') return ` (${figureText(threshold - margin, measure)} or less)`;
  return ` (less than ${figureText(Math.max(0, threshold - margin), undefined)} %)`;
}

function firesWhen(rule: Rule): string {
  const told = aboutObjects[rule.condition];
  if (told) return told;
  if (rule.measure === undefined) return 'a figure is out of bounds';
  const isComparison = conditionOf(rule.condition)?.isComparison === true;
  const over = ` over ${durationText(rule.windowMinutes)}`;
  return (isComparison ? comparisonText(rule) : boundText(rule)) + over + volumeText(rule);
}

export function ruleInWords(rule: Rule): string {
  const { group, filters, holdMinutes, endMinutes } = rule;
  const isFigure = conditionOf(rule.condition)?.about === 'figure';
  const each = isFigure && group ? `For each ${groups[group]}: ` : '';
  const held = holdMinutes === 0 ? 'at once' : `once that has lasted ${durationText(holdMinutes)}`;
  const ended =
    endMinutes === 0 ? 'as soon as it is over' : `once it has been over for ${durationText(endMinutes)}`;
  const margin = isFigure ? marginText(rule) : '';
  const sentence = `${each}${firesWhen(rule)}${whereText(filters)}`;
  return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}. It fires ${held}, and ends ${ended}${margin}.`;
}
