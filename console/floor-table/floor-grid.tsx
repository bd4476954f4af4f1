import type { KeyboardEvent } from 'react';
import { readFloor } from '../../src/management/floor-files/read-rule.ts';
import { countries } from '../../src/reference/countries.ts';
import type { Stored } from '../api/objects.ts';
import { objectName } from '../parts/object-name.ts';
import { analystReason } from '../session/session.ts';
import classes from './floor-grid.module.css';
import { type Cell, columnTitle, type FloorTable, floorText, isAuto, rowTitle } from './floor-table.ts';

/** The key of a cell in a draft. */
export const cellKey = (row: string, column: string): string => `${row}|${column}`;

/** Whether a cell says a floor, or that there is none. */
export const isReadable = (text: string): boolean =>
  text.trim() === '' || readFloor(text, 'Point') !== undefined;

const countryNames = new Map(countries.map(({ CC, Country }) => [CC, Country]));

/** A row's code with the country's name; of several countries, their codes. */
function RowTitle({ row }: { readonly row: string }) {
  const names = row.split(', ').map((code) => countryNames.get(code) ?? code);
  if (row === '*') return rowTitle(row);
  if (names.length > 1) return <span title={names.join(', ')}>{row}</span>;
  return (
    <>
      {row} <span className={classes.country}>{names[0]}</span>
    </>
  );
}

const ruleText = (rule: Stored) =>
  `${objectName(rule)}: ${floorText(rule)}${rule.Net === 1 ? ' net' : ''}${isAuto(rule) ? ', found automatically' : ''}, Priority ${rule.Priority}`;

/** What there is to know of a cell besides its floor. */
function cellTitle({ own, held }: Cell): string | undefined {
  if (own && held && held !== own)
    return `${ruleText(own)}. It does not hold: ${ruleText(held)} comes before it`;
  return held && ruleText(held);
}

interface GridProps {
  readonly table: FloorTable;
  /** What was typed, by cell. */
  readonly changed: Readonly<Record<string, unknown>>;
  readonly isDisabled: boolean;
  readonly onType: (cell: string, text: string) => void;
  readonly onDrop: (cell: string) => void;
}

const steps: Readonly<Record<string, number>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

/** Goes to the cell above or below. */
function move(event: KeyboardEvent<HTMLInputElement>): void {
  const step = new Map(Object.entries(steps)).get(event.key);
  const cell = event.currentTarget.closest('td');
  const body = cell?.closest('tbody');
  if (step === undefined || !cell || !body) return;
  event.preventDefault();
  const rows = [...body.rows];
  const at = rows.findIndex((row) => row.contains(cell)) + step;
  rows[at]?.cells[cell.cellIndex]?.querySelector('input')?.focus();
}

/** Floors by country and device, each of which is typed in its place. */
export function FloorGrid({ table, changed, isDisabled, onType, onDrop }: GridProps) {
  const { rows, columns, cellAt } = table;
  const typed = new Map(Object.entries(changed));
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label="Floors by country and device">
        <thead>
          <tr>
            <th scope="col">Country</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {columnTitle(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">
                <RowTitle row={row} />
              </th>
              {columns.map((column) => {
                const key = cellKey(row, column);
                return (
                  <td key={column}>
                    <CellInput
                      label={`${rowTitle(row)}, ${columnTitle(column)}`}
                      cell={cellAt(row, column)}
                      typed={typed.get(key)}
                      isDisabled={isDisabled}
                      onType={(text) => onType(key, text)}
                      onDrop={() => onDrop(key)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly label: string;
  readonly cell: Cell;
  /** Undefined where nothing was typed. */
  readonly typed: unknown;
  readonly isDisabled: boolean;
  readonly onType: (text: string) => void;
  readonly onDrop: () => void;
}

function CellInput({ label, cell, typed, isDisabled, onType, onDrop }: CellProps) {
  const { own, held } = cell;
  const stored = own ? floorText(own) : '';
  const text = typeof typed === 'string' ? typed : stored;
  const about = isReadable(text) ? cellTitle(cell) : 'Write it like 1.5 or 1.5 EUR';
  /** A number alone stays in the currency that the floor has. */
  const complete = () => {
    const read = readFloor(text, 'Point');
    const Currency = own?.Currency ?? '';
    if (typed !== undefined && read && !read.Currency && Currency && Currency !== 'USD')
      onType(`${text.trim()} ${Currency}`);
  };
  return (
    <input
      className={classes.cell}
      aria-label={label}
      aria-invalid={!isReadable(text)}
      data-changed={typed === undefined ? undefined : true}
      data-overruled={(own && held && held !== own) || undefined}
      title={isDisabled ? analystReason : about}
      placeholder={held && held !== own ? floorText(held) : ''}
      inputMode="decimal"
      maxLength={24}
      disabled={isDisabled}
      value={text}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      onBlur={complete}
      onKeyDown={(event) => (event.key === 'Escape' ? onDrop() : move(event))}
    />
  );
}
