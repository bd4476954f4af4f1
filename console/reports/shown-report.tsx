import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AnswerView, isEmpty } from './answer-view.tsx';
import { type AskedQuestion, answerQuery } from './question.ts';
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
    <AnswerView answer={data} view={search} onView={onShow} onNarrow={onNarrow} isOld={isPlaceholderData} />
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
