import { conditionOf, type Rule, ruleOf, shareOf } from '../../alerts/rule.ts';
import { type Fault, pathOf } from '../../fields/fault.ts';
import { momentWants, readMoment } from '../../fields/moment.ts';
import { minutesAsked } from '../../reference/cubes.ts';
import type { Values } from '../../store/interface.ts';
import { questionFaults, type SentReport } from '../statistics/report-question.ts';
import { objectDimensions } from './observe-objects.ts';

const quarterMinutes = 15;

function* figureFaults(rule: Rule): Generator<Fault> {
  const { condition, measure, threshold, windowMinutes, minVolume } = rule;
  if (measure === undefined) {
    yield {
      Path: 'Measure',
      Code: 'required',
      Message: `is missing: ${condition} needs a figure, for example TimeoutRate`,
    };
  }
  if (windowMinutes === 0 || (windowMinutes > minutesAsked && windowMinutes % quarterMinutes !== 0)) {
    yield {
      Path: 'Window',
      Code: 'out_of_range',
      Message: `must be from 1 to ${minutesAsked} minutes, or a larger multiple of ${quarterMinutes}`,
    };
  }
  if (conditionOf(condition)?.isComparison && threshold <= 0) {
    yield { Path: 'Threshold', Code: 'out_of_range', Message: 'must be a percentage above 0, like 50' };
  }
  if (minVolume > 0 && measure !== undefined && !rule.volumeOf && shareOf(measure) === undefined) {
    const Message = `must name the figure that MinVolume is about, for example Requests: ${measure} is not a share of a figure`;
    yield { Path: 'MinVolumeOf', Code: 'required', Message };
  }
}

/** Only filters on the objects themselves apply. */
function* objectsFaults({ condition, filters }: Rule): Generator<Fault> {
  if (conditionOf(condition)?.refusal !== undefined) return;
  for (const [index, { Field }] of filters.entries()) {
    if (objectDimensions.includes(Field)) continue;
    const Message = `is not about objects; possible values: ${objectDimensions.join(', ')}`;
    yield { Path: pathOf('Filters', index, 'Field'), Code: 'out_of_range', Message };
  }
}

function* ownFaults(rule: Rule, mutedUntil: string): Generator<Fault> {
  const { about = 'figure' } = conditionOf(rule.condition) ?? {};
  yield* about === 'figure' ? figureFaults(rule) : objectsFaults(rule);
  if (mutedUntil !== '' && readMoment(mutedUntil) === undefined) {
    yield { Path: 'MutedUntil', Code: 'format', Message: momentWants };
  }
}

export function alertFaults(values: Values): readonly Fault[] {
  const { Condition = '', Filters = [], TimeZone = '', MutedUntil = '' } = values;
  // The schema refuses that.
  if (Condition === '') return [];
  const question = { Period: 'Today', Measures: ['Requests'], Filters, TimeZone } as unknown as SentReport;
  const known = ({ Path }: Fault) => Object.hasOwn(values, Path.split(/[.[]/, 1)[0] ?? '');
  return [...questionFaults(question), ...ownFaults(ruleOf(values), String(MutedUntil))].filter(known);
}
