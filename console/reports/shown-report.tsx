import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Explained as ExplainedMeasure, explainedOr } from '../drivers/drivers.ts';
import { DriversCard } from '../drivers/drivers-card.tsx';
import { isPartner } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { AnswerView, isEmpty } from './answer-view.tsx';
import { type AskedQuestion, answerQuery, drawnFigure } from './question.ts';
import { ReportRefusal } from './report-refusal.tsx';
import type { ReportSearch } from './report-search.ts';
import type { Narrow } from './value-cell.tsx';

interface ShownProps {
  readonly search: ReportSearch;
  readonly asked: AskedQuestion;
  readonly onShow: (changed: ReportSearch) => void;
  /** Goes to another question. */
  readonly onAsk: (search: ReportSearch) => void;
  /** Goes to the question narrowed to a value; absent where that is no question to this screen. */
  readonly onNarrow?: Narrow | undefined;
}

/** What the server answers to a question, nothing included, or why it does not. */
export function ShownReport({ search, asked, onShow, onAsk, onNarrow }: ShownProps) {
  const { data, error, isPending, isPlaceholderData } = useQuery({
    ...answerQuery(asked.question),
    placeholderData: keepPreviousData,
  });
  if (error) return <ReportRefusal error={error} search={search} onAsk={onAsk} />;
  if (isPending) return <Skeleton h={420} aria-label="Loading the report" />;
  if (isEmpty(data)) return <NoRows search={search} onShow={onShow} />;
  return (
    <>
      <AnswerView answer={data} view={search} onView={onShow} onNarrow={onNarrow} isOld={isPlaceholderData} />
      <Explained asked={asked} search={search} />
    </>
  );
}

/** What moved the drawn figure, of a report that is compared with another period; no partner may know. */
function Explained({ asked: { question }, search }: Pick<ShownProps, 'asked' | 'search'>) {
  const [measure, setMeasure] = useState<ExplainedMeasure>();
  const account = useAccount();
  if (question.CompareTo === undefined || isPartner(account)) return null;
  const { Period, From, To, TimeZone, Filters, CompareTo } = question;
  const time = Period === undefined ? { From: From ?? '', To: To ?? '' } : { Period };
  return (
    <DriversCard
      question={{ ...time, TimeZone, Filters, CompareTo }}
      measure={measure ?? explainedOr(drawnFigure(search, question.Measures))}
      onMeasure={setMeasure}
    />
  );
}

function NoRows({ search, onShow }: Pick<ShownProps, 'search' | 'onShow'>) {
  return (
    <Stack gap="xs" align="flex-start" maw={560}>
      <Text fw={600}>Nothing was counted</Text>
      <Text c="dimmed">
        There was no matching traffic in this period. Today's figures are one or two seconds old.
      </Text>
      <Group gap="xs">
        {search.filter && (
          <Button size="xs" variant="default" onClick={() => onShow({ filter: undefined })}>
            Remove the filters
          </Button>
        )}
        {search.period !== 'Today' && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onShow({ period: 'Today', from: undefined, to: undefined, by: 'Hour' })}
          >
            Today by the hour
          </Button>
        )}
        {search.period !== 'Last30Days' && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onShow({ period: 'Last30Days', from: undefined, to: undefined })}
          >
            Last 30 days
          </Button>
        )}
      </Group>
    </Stack>
  );
}
