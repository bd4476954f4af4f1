import { useQueries } from '@tanstack/react-query';
import { type Answer, type AskedQuestion, answerQuery, askedFor } from '../reports/question.ts';
import { type FunnelSearch, filtersOf, funnelPeriod } from './funnel-search.ts';

const ownFigures = 'Requests,Opportunities';
const offeredFigures = 'Calls,Answers,Timeouts,Errors,NoBids,Bids,UncalledBids,BidValue,Wins,Impressions';
const refusedFigures = 'Refusals,LostValue';

/** The questions of a funnel: what supply counts by itself, what demand was offered, and both by reason. */
export function questionsOf(search: FunnelSearch, zone: string) {
  const { period = funnelPeriod, from, to } = search;
  const time = { period, from, to, zone: search.zone ?? zone };
  const asked = (isOwn: boolean, figures: string, by = ''): AskedQuestion =>
    askedFor({ ...time, by, figures, filter: filtersOf(search, isOwn) }, zone);
  const hasOwn = search.supply !== undefined || search.demand === undefined;
  return {
    ...(hasOwn && { own: asked(true, ownFigures), ownReasons: asked(true, refusedFigures, 'Reason') }),
    offered: asked(false, offeredFigures),
    reasons: asked(false, refusedFigures, 'Reason'),
  };
}

type Questions = ReturnType<typeof questionsOf>;
type Name = keyof Questions;

/** The answers to a funnel's questions, once all are there. */
export function useAnswers(questions: Questions) {
  const names = Object.keys(questions) as Name[];
  return useQueries({
    queries: names.map((name) => answerQuery((questions[name] as AskedQuestion).question)),
    combine: (results) => ({
      error: results.find(({ error }) => error)?.error,
      answers: results.every(({ data }) => data)
        ? (Object.fromEntries(names.map((name, index) => [name, results[index]?.data])) as {
            readonly [One in Name]: Answer;
          })
        : undefined,
    }),
  });
}
