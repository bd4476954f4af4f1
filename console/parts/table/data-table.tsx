import { Table } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import classes from './data-table.module.css';
import stacked from './stacked.module.css';
import { useIsStacked } from './use-is-stacked.ts';

export interface DataColumn<R> {
  /** Its head, or the name of the value on a phone. */
  readonly title: string;
  /** Its head, where that is more than a text. */
  readonly head?: ReactNode;
  readonly help?: string | undefined;
  readonly form?: 'figure' | 'mark' | 'prose';
  /** Whether its head is heard only: the values say by themselves what they are. */
  readonly isHeard?: boolean;
  readonly width?: string;
  readonly cell: (row: R) => ReactNode;
}

interface DataTableProps<R> {
  /** Its name, for who hears it; absent where a heading is enough. */
  readonly label?: string;
  readonly id?: string;
  /** The first is what a row is about. */
  readonly columns: readonly DataColumn<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string | number;
  /** What an address may lead to, for a row. */
  readonly idOf?: (row: R) => string | undefined;
  /** What stands below an open row. */
  readonly detailOf?: (row: R) => ReactNode;
  readonly isStrong?: (row: R) => boolean;
  /** Below it, the table scrolls; a phone has cards. */
  readonly minWidth?: number;
  readonly maxWidth?: number;
}

const alignment = { figure: classes.figure, mark: classes.center, prose: undefined } as const;

/** A table that is read whole; on a phone, each of its rows is a card. */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, id, columns, rows, keyOf, minWidth = 520, maxWidth } = props;
  const isStacked = useIsStacked();
  const role = isStacked ? rolesOfCards : noRoles;
  const table = (
    <Table
      {...role.table}
      {...(label && { 'aria-label': label })}
      className={isStacked ? classes.stacked : classes.table}
      verticalSpacing={6}
      {...(maxWidth && !isStacked && { maw: maxWidth })}
    >
      <Table.Thead {...role.group} {...(isStacked && { className: 'visually-hidden' })}>
        <Table.Tr {...role.row}>
          {columns.map(({ title, head, help, form, isHeard, width }) => (
            <Table.Th
              key={title}
              {...role.head}
              scope="col"
              title={help}
              className={form && alignment[form]}
              {...(width && { w: width })}
            >
              {isHeard ? <span className="visually-hidden">{title}</span> : (head ?? title)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody {...role.group}>
        {rows.map((row) => (
          <Row key={keyOf(row)} {...props} row={row} isStacked={isStacked} />
        ))}
      </Table.Tbody>
    </Table>
  );
  if (isStacked) return <div id={id}>{table}</div>;
  return (
    <Table.ScrollContainer minWidth={minWidth} {...(id && { id })}>
      {table}
    </Table.ScrollContainer>
  );
}

/** What the elements of a table are no longer to everybody, once they are laid out otherwise. */
const rolesOfCards = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  subject: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;
type Roles = { readonly [N in keyof typeof rolesOfCards]: { readonly role?: string } };
const noRoles: Roles = { table: {}, group: {}, row: {}, head: {}, subject: {}, cell: {} };

interface RowProps<R> extends DataTableProps<R> {
  readonly row: R;
  readonly isStacked: boolean;
}

function Row<R>({ columns, row, idOf, detailOf, isStrong, isStacked }: RowProps<R>) {
  const role = isStacked ? rolesOfCards : noRoles;
  const [subject, ...others] = columns;
  const id = idOf?.(row);
  const detail = detailOf?.(row);
  return (
    <Fragment>
      <Table.Tr
        {...role.row}
        className={isStacked ? `${classes.row} ${stacked.card}` : classes.row}
        {...(isStrong?.(row) && { fw: 600 })}
        {...(id !== undefined && { id, tabIndex: -1 })}
      >
        {subject && (
          <Table.Th
            {...role.subject}
            scope="row"
            className={isStacked ? stacked.subject : subject.form && alignment[subject.form]}
          >
            {subject.cell(row)}
          </Table.Th>
        )}
        {others.map((column) => (
          <Cell key={column.title} column={column} row={row} isStacked={isStacked} />
        ))}
      </Table.Tr>
      {detail && (
        <Table.Tr {...role.row} {...(isStacked && { className: classes.detail })}>
          <Table.Td {...role.cell} colSpan={columns.length}>
            {detail}
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}

interface CellProps<R> {
  readonly column: DataColumn<R>;
  readonly row: R;
  readonly isStacked: boolean;
}

function Cell<R>({ column: { title, form, isHeard, cell }, row, isStacked }: CellProps<R>) {
  if (!isStacked) return <Table.Td className={form && alignment[form]}>{cell(row)}</Table.Td>;
  return (
    <Table.Td
      role="cell"
      className={form === 'prose' ? stacked.prose : stacked.pair}
      {...(!isHeard && { 'data-label': title })}
    >
      {cell(row)}
    </Table.Td>
  );
}
