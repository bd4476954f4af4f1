import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isSame } from '../objects/settings/draft.ts';
import { announce } from '../shell/announcements.ts';
import { askConfig } from './ask-config.ts';
import type { ConfigPlan, DocumentQuestion } from './config-question.ts';

export type Question = Omit<DocumentQuestion, 'kind'>;

/** What a document would do, or has done. */
interface PlanResult {
  readonly result: ConfigPlan;
  readonly isDone: boolean;
  /** It is another one than that which was looked at. */
  readonly isAnew: boolean;
}

/** The plan of a document, and its application: what is applied is what was looked at. */
export function usePlan() {
  const client = useQueryClient();
  const [planned, setPlanned] = useState<PlanResult>();
  const making = useMutation({
    mutationFn: (question: Question) => askConfig<'plan'>({ ...question, kind: 'plan' }),
    onSuccess: (result) => {
      setPlanned({ result, isDone: false, isAnew: false });
      announce('The plan is shown');
    },
  });
  const applying = useMutation({
    async mutationFn(question: Question): Promise<PlanResult> {
      const now = await askConfig<'plan'>({ ...question, kind: 'plan' });
      if (!isSame(now, planned?.result)) return { result: now, isDone: false, isAnew: true };
      const result = await askConfig<'apply'>({ ...question, kind: 'apply' });
      return { result, isDone: true, isAnew: false };
    },
    onSuccess: (next) => {
      setPlanned(next);
      announce(next.isDone ? 'Applied' : 'The team has changed in the meantime: look at the plan again');
      return next.isDone && client.invalidateQueries();
    },
  });
  return {
    ...planned,
    isPending: making.isPending || applying.isPending,
    error: making.error ?? applying.error,
    make: making.mutate,
    apply: applying.mutate,
    reset: () => {
      setPlanned(undefined);
      making.reset();
      applying.reset();
    },
  };
}
