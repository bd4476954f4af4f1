import { type CSSProperties, type ReactNode, useRef } from 'react';
import { useIsPrinting } from '../parts/printing.ts';
import { SortBar } from '../parts/table/sort-bar.tsx';
import { SortButton } from '../parts/table/sort-button.tsx';
import { orderIn } from '../parts/table/sorting.ts';
import stacked from '../parts/table/stacked.module.css';
import { placeOf, useDrawnRows } from '../parts/table/use-drawn-rows.ts';
import { countText } from '../parts/value-text.ts';
import classes from './report-table.module.css';

export interface TableColumn<R> {
  readonly key: string;
  readonly title: string;
  readonly help?: string | undefined;
  readonly isFigure: boolean;
  /** Whether it is sentences, which need room. */
  readonly isProse?: boolean;
  readonly canSort: boolean;
  /** In `sort`: by how much its figures have changed. */
  readonly changeKey?: string | undefined;
  readonly cell: (row: R) => ReactNode;
  /** What stands below it, of all rows. */
  readonly total?: ReactNode;
}

interface TableProps<R> {
  readonly label: string;
  readonly columns: readonly TableColumn<R>[];
  readonly rows: readonly R[];
  readonly rowHeight: number;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

/** More are hundreds of sheets. */
const printedMax = 5000;
const widths = { value: 150, prose: 340, figure: 98, gap: 16 };

function gridOf(
  columns: readonly Pick<TableColumn<never>, 'isFigure' | 'isProse'>[],
  isPrinting: boolean,
): CSSProperties {
  const wide = ({ isProse = false }) => (isProse ? widths.prose : widths.value);
  const sizes = columns.map((column) => (column.isFigure ? widths.figure : wide(column)));
  // Paper does not scroll.
  if (isPrinting) return { gridTemplateColumns: sizes.map((size) => `minmax(0, ${size}fr)`).join(' ') };
  return {
    gridTemplateColumns: sizes.map((size) => `minmax(${size}px, ${size}fr)`).join(' '),
    minWidth: sizes.reduce((sum, size) => sum + size + widths.gap, widths.gap),
  };
}

/** Rows of a report, of which only those in sight are drawn (printed, all), between names and sums that stay in sight. */
export function ReportTable<R>(props: TableProps<R>) {
  const { label, columns, rows, rowHeight, sort, onSort } = props;
  const box = useRef<HTMLDivElement>(null);
  const drawn = useDrawnRows({
    count: rows.length,
    box,
    rowHeight,
    cardHeight: rowHeight * (1 + columns.length / 2),
    overscan: 8,
  });
  const { isStacked } = drawn;
  const isPrinting = useIsPrinting();
  const grid = isStacked ? {} : gridOf(columns, isPrinting);
  const shown = isPrinting ? rows.slice(0, printedMax).map((_, index) => ({ index, start: 0 })) : drawn.items;
  const hasTotal = columns.some(({ total }) => total !== undefined);
  const total = hasTotal && (
    <div className={isStacked ? classes.totalCard : classes.total} role="row" style={grid}>
      <Cells columns={columns} isStacked={isStacked} contentOf={(column) => column.total} />
    </div>
  );
  return (
    <>
      {isStacked && <StackedHeads {...props} />}
      <div ref={box} className={classes.box} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <div className={isStacked ? 'visually-hidden' : classes.head} role="row" style={grid}>
          {columns.map((column) =>
            isStacked ? (
              <span key={column.key} role="columnheader">
                {column.title}
              </span>
            ) : (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ),
          )}
        </div>
        {isStacked && total}
        <div
          role="rowgroup"
          style={isPrinting ? {} : { height: drawn.height, position: 'relative', minWidth: grid.minWidth }}
        >
          {shown.map(({ index, start }) => (
            <div
              key={index}
              ref={drawn.measure}
              data-index={index}
              role="row"
              aria-rowindex={index + 2}
              className={isStacked ? classes.card : classes.row}
              style={isPrinting ? grid : { ...grid, ...placeOf(start, isStacked ? undefined : rowHeight) }}
            >
              <Cells
                columns={columns}
                isStacked={isStacked}
                contentOf={({ cell }) => cell(rows[index] as R)}
              />
            </div>
          ))}
        </div>
        {isPrinting && rows.length > printedMax && (
          <p>The first {countText(printedMax)} rows are printed; the CSV has all.</p>
        )}
        {!isStacked && total}
      </div>
    </>
  );
}

interface CellsProps<R> {
  readonly columns: readonly TableColumn<R>[];
  readonly isStacked: boolean;
  readonly contentOf: (column: TableColumn<R>) => ReactNode;
}

function Cells<R>({ columns, isStacked, contentOf }: CellsProps<R>) {
  return columns.map((column, place) => {
    const { key, title, isFigure, isProse } = column;
    if (!isStacked)
      return (
        <span key={key} role="cell" className={isFigure ? classes.figure : classes.value}>
          {contentOf(column)}
        </span>
      );
    const pair = isProse ? stacked.prose : stacked.pair;
    return (
      <span
        key={key}
        role="cell"
        className={place === 0 ? stacked.subject : pair}
        data-label={place === 0 ? undefined : title}
      >
        {contentOf(column)}
      </span>
    );
  });
}

/** What stands for the heads of the columns on a phone. */
function StackedHeads<R>({ columns, sort, onSort }: Pick<TableProps<R>, 'columns' | 'sort' | 'onSort'>) {
  const names = columns.flatMap(({ key, title, canSort, changeKey }) => [
    ...(canSort ? [[key, title] as const] : []),
    ...(changeKey === undefined ? [] : [[changeKey, `${title}, change`] as const]),
  ]);
  return <SortBar names={names} sort={sort} onSort={onSort} />;
}

interface HeadProps<R> extends Pick<TableProps<R>, 'sort' | 'onSort'> {
  readonly column: TableColumn<R>;
}

function Head<R>({ column, sort, onSort }: HeadProps<R>) {
  const { key, title, help, isFigure, canSort, changeKey } = column;
  const ofChange = orderIn(sort, changeKey);
  const order = ofChange === 'none' ? orderIn(sort, key) : ofChange;
  return (
    <span
      role="columnheader"
      aria-sort={canSort ? order : undefined}
      className={isFigure ? classes.figure : undefined}
    >
      {canSort ? (
        <SortButton name={key} title={help} sort={sort} onSort={onSort}>
          <bdi>{title}</bdi>
        </SortButton>
      ) : (
        <bdi title={help}>{title}</bdi>
      )}
      {changeKey !== undefined && (
        <SortButton
          name={changeKey}
          display="block"
          ml="auto"
          fz="xs"
          fw={400}
          c="dimmed"
          title="Sort by how much it has changed"
          sort={sort}
          onSort={onSort}
        >
          <span className="visually-hidden">{title} </span>change
        </SortButton>
      )}
    </span>
  );
}
