import { Text } from '@mantine/core';
import { measures, reports } from '../field-tables.ts';
import { placesOf } from '../parts/figure-text.ts';
import { HelpText, plainHelp } from '../parts/help-text.tsx';
import { titleOf } from '../parts/value-text.ts';
import { FigureCell } from './figure-cell.tsx';
import { type Answer, changeSuffix, type Row } from './question.ts';
import { ReportTable, type TableColumn } from './report-table.tsx';
import { type CodeNames, shownValue } from './shown-value.ts';
import { type Narrow, ValueCell } from './value-cell.tsx';

interface RowsProps {
  readonly answer: Answer;
  readonly codes: CodeNames;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly onNarrow?: Narrow | undefined;
}

const rowHeights = { plain: 38, compared: 54 };

/** What the values of a dimension mean, which stands beside them in the answer. */
const helpColumn = (name: string): TableColumn<Row> => ({
  key: `${name}Help`,
  title: 'What it means, and what changes it',
  isFigure: false,
  isProse: true,
  canSort: false,
  cell(row) {
    const help = String(row[`${name}Help`] ?? '');
    return (
      <Text span size="xs" lh={1.3} lineClamp={2} title={plainHelp(help)}>
        <HelpText text={help} />
      </Text>
    );
  },
  total: '',
});

/** The rows of an answer: a column for each dimension and figure, the sums below. */
export function RowsTable({ answer, codes, sort, onSort, onNarrow }: RowsProps) {
  const { question, Rows, Total } = answer;
  const values = question.GroupBy.flatMap((name, place): TableColumn<Row>[] => [
    {
      key: name,
      title: titleOf(name),
      help: reports.dimensions[name]?.help,
      isFigure: false,
      canSort: true,
      cell: (row) => <ValueCell dimension={name} shown={shownValue(name, row, codes)} onNarrow={onNarrow} />,
      total: place === 0 ? 'All' : '',
    },
    ...(reports.dimensions[name]?.shows === 'reason' ? [helpColumn(name)] : []),
  ]);
  const figures = question.Measures.map((name): TableColumn<Row> => {
    const places = placesOf(name, [...Rows, Total]);
    return {
      key: name,
      title: titleOf(name),
      help: measures[name]?.help,
      isFigure: true,
      canSort: true,
      ...(question.CompareTo && { changeKey: `${name}${changeSuffix}` }),
      cell: (row) => <FigureCell name={name} row={row} places={places} />,
      total: <FigureCell name={name} row={Total} places={places} />,
    };
  });
  return (
    <ReportTable
      label="Report"
      columns={[...values, ...figures]}
      rows={Rows}
      rowHeight={
        question.CompareTo || values.some(({ isProse }) => isProse) ? rowHeights.compared : rowHeights.plain
      }
      sort={sort}
      onSort={onSort}
    />
  );
}
