import { Group, Pagination, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../parts/error-note.tsx';
import { countText } from '../../parts/value-text.ts';
import { linesQuery } from './ask-lines.ts';
import classes from './found-lines.module.css';
import { linesText } from './line-count.ts';
import type { TextSource } from './lines-question.ts';

const linesPerPage = 200;

interface FoundProps {
  readonly of: TextSource;
  readonly without?: TextSource | undefined;
  readonly query: string;
  readonly page: number;
  /** Said where there is no line without the query either. */
  readonly emptyText: string;
  readonly onPage: (page: number) => void;
}

const pageLabels: Readonly<Record<string, string>> = { previous: 'Previous page', next: 'Next page' };

/** The lines in which a text occurs, one page of them at a time. */
export function FoundLines({ of, without, query, page, emptyText, onPage }: FoundProps) {
  const from = (page - 1) * linesPerPage;
  const question = { of, without, query, from, count: linesPerPage };
  const { data, error, isPlaceholderData } = useQuery({
    ...linesQuery(question),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={300} aria-label="Loading the lines" />;
  const { all, found, lines } = data;
  const pages = Math.ceil(found / linesPerPage);
  const last = Math.min(from + linesPerPage, found);
  const range = pages > 1 ? `, ${countText(from + 1)} to ${countText(last)} shown` : '';
  const count = found === all ? linesText(all) : `${countText(found)} of ${linesText(all)}`;
  return (
    <>
      <Group justify="space-between" mih={32}>
        <Text size="sm" c="dimmed" role="status">
          {all === 0 ? emptyText : count + range}
        </Text>
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            value={page}
            onChange={onPage}
            getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
            getControlProps={(control) => ({ 'aria-label': pageLabels[control] })}
          />
        )}
      </Group>
      <ol className={classes.lines} data-waiting={isPlaceholderData || undefined}>
        {lines.map(({ number, text }) => (
          <li key={number} value={number} className={classes.line}>
            <span className={classes.number} aria-hidden>
              {countText(number)}
            </span>
            <span className={classes.text} title={text}>
              {text}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
