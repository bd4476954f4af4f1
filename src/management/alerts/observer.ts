import type { Observations } from '../../alerts/evaluate.ts';
import type { Rule } from '../../alerts/rule.ts';
import { Refusal } from '../../fields/fault.ts';
import type { DueAlert, Subject } from '../../store/alerts/interface.ts';
import { type FigureContext, observeFigures } from './observe-figures.ts';
import { type ObjectsContext, observeObjects } from './observe-objects.ts';

export type ObserverContext = FigureContext & ObjectsContext;

/** Rejects, in words, if observation is impossible. */
export const createObserver =
  (context: ObserverContext) =>
  async (
    { teamId }: Pick<DueAlert, 'teamId'>,
    rule: Rule,
    known: readonly Subject[],
  ): Promise<Observations> => {
    const { condition } = rule;
    try {
      return condition === 'LimitReached' || condition === 'PartnerPaused'
        ? { observed: await observeObjects(context, teamId, rule, known), noData: '' }
        : await observeFigures(context, teamId, rule, known);
    } catch (error) {
      if (!(error instanceof Refusal) || error.faults.length === 0) throw error;
      throw new Error(error.faults.map(({ Path, Message }) => `${Path} ${Message}`).join('; '), {
        cause: error,
      });
    }
  };
