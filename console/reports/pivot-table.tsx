import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reports } from '../field-tables.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { placesOf } from '../parts/figure-text.ts';
import { countText, titleOf } from '../parts/value-text.ts';
import { FigureCell } from './figure-cell.tsx';
import { keyOf, type PivotRow, pivotOf } from './pivot.ts';
import { answerQuery, type Question } from './question.ts';
import { isStep } from './report-search.ts';
import { ReportTable, type TableColumn } from './report-table.tsx';
import { type CodeNames, shownValue } from './shown-value.ts';
import { type Narrow, ValueCell } from './value-cell.tsx';

interface PivotProps {
  readonly question: Question;
  readonly across: string;
  readonly figure: string;
  readonly codes: CodeNames;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly onNarrow?: Narrow | undefined;
}

const columnsMax = 60;
const rowHeights = { plain: 38, compared: 54 };

/** The members that say of which kind the objects of these dimensions are. */
const kindsOf = (names: readonly string[]) =>
  names.flatMap((name) => {
    const shows = reports.dimensions[name]?.shows;
    return typeof shows === 'object' && 'kindAs' in shows ? [shows.kindAs] : [];
  });

/** The question of one figure by other names, the greatest first; steps of time in their order. */
function asking(question: Question, GroupBy: readonly string[], figure: string, sort?: string): Question {
  const { Limit: _, OrderBy: __, ...rest } = question;
  const Field = sort?.replace(/^-/, '') ?? '';
  const isAsked = [...GroupBy, figure].includes(Field);
  const standard = GroupBy.some(isStep) ? [] : [{ Field: figure, Direction: 'Desc' as const }];
  const wished = [{ Field, Direction: sort?.startsWith('-') ? ('Desc' as const) : ('Asc' as const) }];
  return { ...rest, GroupBy, Measures: [figure], OrderBy: isAsked ? wished : standard };
}

function usePivot({ question, across, figure, sort }: PivotProps) {
  const others = question.GroupBy.filter((name) => name !== across);
  const cells = useQuery(answerQuery(asking(question, question.GroupBy, figure)));
  const sums = useQuery(answerQuery(asking(question, others, figure, sort)));
  const heads = useQuery(answerQuery(asking(question, [across], figure)));
  return { others, cells, sums, heads, error: cells.error ?? sums.error ?? heads.error };
}

/** One figure of a report with the values of one dimension as columns, and the sums at both sides. */
export function PivotTable(props: PivotProps) {
  const { question, across, figure, codes, sort, onSort, onNarrow } = props;
  const { others, cells, sums, heads, error } = usePivot(props);
  if (error) return <ErrorNote error={error} />;
  if (!cells.data || !sums.data || !heads.data) return <Skeleton h={260} />;
  const pivot = pivotOf(cells.data.Rows, {
    sums: sums.data.Rows,
    heads: heads.data.Rows,
    rest: (row) => keyOf(others, kindsOf(others), row),
    across: (row) => keyOf([across], kindsOf([across]), row),
  });
  const places = placesOf(figure, [...cells.data.Rows, ...sums.data.Rows, ...heads.data.Rows]);
  const values = others.map(
    (name, place): TableColumn<PivotRow> => ({
      key: name,
      title: titleOf(name),
      isFigure: false,
      canSort: true,
      cell: ({ row }) => (
        <ValueCell dimension={name} shown={shownValue(name, row, codes)} onNarrow={onNarrow} />
      ),
      total: place === 0 ? 'All' : '',
    }),
  );
  const all: TableColumn<PivotRow> = {
    key: figure,
    title: 'All',
    help: titleOf(figure),
    isFigure: true,
    canSort: true,
    cell: ({ row }) => <FigureCell name={figure} row={row} places={places} />,
    total: <FigureCell name={figure} row={sums.data.Total} places={places} />,
  };
  const columns = pivot.columns.slice(0, columnsMax).map(({ key, row }): TableColumn<PivotRow> => {
    const { text } = shownValue(across, row, codes);
    return {
      key,
      title: text,
      help: text,
      isFigure: true,
      canSort: false,
      cell({ cells: of }) {
        const cell = of.get(key);
        return cell ? <FigureCell name={figure} row={cell} places={places} /> : '–';
      },
      total: <FigureCell name={figure} row={row} places={places} />,
    };
  });
  const left = pivot.columns.length - columns.length;
  return (
    <>
      <ReportTable
        label={`${titleOf(figure)} by ${[...others, across].map(titleOf).join(', ')}`}
        columns={[...values, all, ...columns]}
        rows={pivot.rows}
        rowHeight={question.CompareTo ? rowHeights.compared : rowHeights.plain}
        sort={sort}
        onSort={onSort}
      />
      {left > 0 && (
        <Text size="sm" c="dimmed">
          {countText(left)} more columns are not shown; the CSV has all.
        </Text>
      )}
    </>
  );
}
