import type { Seen } from '../../alerts/evaluate.ts';
import type { Rule } from '../../alerts/rule.ts';
import { Refusal } from '../../fields/fault.ts';
import type { DueAlert, Subject } from '../../store/alerts/interface.ts';
import { type FigureContext, lookAtFigures } from './look-figures.ts';
import { lookAtObjects, type ObjectsContext } from './look-objects.ts';

/** What looking for alerts works with. */
export type LookContext = FigureContext & ObjectsContext;

/** Makes what looks at what a rule is about. Rejects with what is in the way, in words, where it cannot be told. */
export const createLook =
  (context: LookContext) =>
  async ({ teamId }: Pick<DueAlert, 'teamId'>, rule: Rule, known: readonly Subject[]): Promise<Seen> => {
    const { condition } = rule;
    try {
      return condition === 'LimitReached' || condition === 'PartnerPaused'
        ? { observed: await lookAtObjects(context, teamId, rule, known), noData: '' }
        : await lookAtFigures(context, teamId, rule, known);
    } catch (error) {
      if (!(error instanceof Refusal) || error.faults.length === 0) throw error;
      throw new Error(error.faults.map(({ Path, Message }) => `${Path} ${Message}`).join('; '), {
        cause: error,
      });
    }
  };
