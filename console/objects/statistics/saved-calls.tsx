import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countText, moneyText, percentText } from '../../parts/value-text.ts';
import { answerQuery, figureIn, type Question } from '../../reports/question.ts';
import { useShownObject } from '../object-context.ts';

const figures = ['Calls', 'SavedCalls', 'RevenueAtRisk', 'Revenue'];

/** What AutoOptimize saves and risks, in the time of a question; nothing where it is off, and was. */
export function SavedCalls({ question }: { readonly question: Question }) {
  const { object } = useShownObject();
  const { CompareTo: _, OrderBy: __, ...asked } = question;
  const { data } = useQuery(answerQuery({ ...asked, GroupBy: [], Measures: figures }));
  if (!data) return null;
  const [calls = 0, saved = 0, atRisk = 0, revenue = 0] = figures.map((name) => figureIn(data.Total, name));
  if (saved === 0 && object.AutoOptimize !== 1) return null;
  if (saved === 0) {
    return (
      <Text size="sm" c="dimmed">
        AutoOptimize is on, and has saved no calls in this period: it learns first, and perhaps all calls are
        worth it.
      </Text>
    );
  }
  const share = revenue > 0 ? `, ${percentText((100 * atRisk) / revenue)} of the revenue` : '';
  return (
    <Text size="sm">
      AutoOptimize has saved <b>{countText(saved)}</b> of {countText(saved + calls)} calls (
      {percentText((100 * saved) / (saved + calls))}). They were expected to bring <b>{moneyText(atRisk)}</b>
      {share}: the revenue at risk.
    </Text>
  );
}
