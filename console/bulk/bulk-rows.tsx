import { Pagination, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ObjectChange } from '../api/batch.ts';
import { entityOf } from '../field-tables.ts';
import { fieldOf, sentenceOf } from '../fields.ts';
import { useNamesOf } from '../history/names-of.ts';
import { Saying } from '../parts/field-value.tsx';
import { inSentences } from '../parts/sentence.ts';
import { countText, titleOf } from '../parts/value-text.ts';
import classes from './bulk.module.css';
import type { ChangeSource } from './change-source.ts';
import type { ChangeResult } from './run-lots.ts';

const rowsPerPage = 50;

interface RowsProps {
  readonly results: readonly ChangeResult[];
}

const objectOf = ({ change, row }: ChangeResult) => ({
  Entity: change.Entity,
  Id: row?.Id ?? Number(change.Object.Id),
});

interface PagedProps extends RowsProps {
  readonly label: string;
  readonly children: (result: ChangeResult, name: string) => ReactNode;
}

/** A page of rows at a time, each under its object's name. */
function PagedRows({ results, label, children }: PagedProps) {
  const [page, setPage] = useState(1);
  const from = (page - 1) * rowsPerPage;
  const shown = results.slice(from, from + rowsPerPage);
  const names = useNamesOf(shown.map(objectOf));
  const pages = Math.ceil(results.length / rowsPerPage);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard */}
      <ul className={classes.rows} aria-label={label} tabIndex={0}>
        {shown.map((result) => {
          const { Entity, Id } = objectOf(result);
          const key = `${Entity} ${Id}`;
          const added = result.change.Object.Name ?? 'New';
          const name = result.change.Operation === 'add' ? String(added) : (names.get(key) ?? `ID ${Id}`);
          return (
            <li key={`${key}${result.change.Operation}${name}`}>
              <b>{name}</b>
              {children(result, key)}
            </li>
          );
        })}
      </ul>
      {pages > 1 && <Pagination size="sm" total={pages} value={page} onChange={setPage} />}
    </>
  );
}

/** What differs, object by object. */
export function DifferenceRows({ results }: RowsProps) {
  if (results.length === 0) return null;
  return (
    <PagedRows results={results} label="Differences">
      {(result) => result.row && <Difference result={result} row={result.row} />}
    </PagedRows>
  );
}

interface DifferenceProps {
  readonly result: ChangeResult;
  readonly row: ObjectChange;
}

/** Of an object that is added, what was said of it. */
function Difference({ result: { change }, row: { Entity, Operation, Before, After } }: DifferenceProps) {
  const entity = entityOf(Entity);
  const isAdded = Operation === 'add';
  const names = isAdded ? Object.keys(change.Object) : Object.keys({ ...Before, ...After });
  const fields = names.filter((field) => field !== 'StatusString' && !(isAdded && field === 'Name'));
  const shown = inSentences(fields, (name) => entity && fieldOf(entity, name)).flatMap(([name]) => {
    const field = entity && fieldOf(entity, name);
    return field ? [field] : [];
  });
  return (
    <>
      {isAdded && ' is new'}
      {shown.map((field) => (
        <span key={field.name} className={shown.length > 1 ? classes.field : undefined}>
          {' '}
          {titleOf(sentenceOf(field)[0].name)}:{' '}
          {!isAdded && (
            <>
              <del className={classes.old}>
                <Saying field={field} values={Before} />
              </del>{' '}
              →{' '}
            </>
          )}
          <Saying field={field} values={After} />
        </span>
      ))}
    </>
  );
}

interface RefusedProps extends RowsProps {
  readonly source?: ChangeSource | undefined;
  readonly isDone: boolean;
}

function refusalText(count: string, { source, isDone }: Omit<RefusedProps, 'results'>): string {
  if (isDone) return `${count} could not be changed`;
  return source
    ? `${count} cannot be changed as written. ${source.remedy}`
    : `${count} cannot be changed and will be left out`;
}

/** What is refused, with the reasons. */
export function RefusedRows({ results, source, isDone }: RefusedProps) {
  if (results.length === 0) return null;
  const count = results.length === 1 ? '1 object' : `${countText(results.length)} objects`;
  return (
    <>
      <Text size="sm" c="red" fw={600} role="alert">
        {refusalText(count, { source, isDone })}
      </Text>
      <PagedRows results={results} label="Refused">
        {({ change, faults = [] }) =>
          `${source ? ` ${source.placeOf(change)}:` : ''}${faults.map(({ Path, Message }) => ` ${placeIn(Path)} ${Message}`).join(';')}`
        }
      </PagedRows>
    </>
  );
}

/** The field that a fault is at, without the place of its change. */
const placeIn = (path: string): string => path.replace(/^Changes\[\d+\]\.(Object\.)?/, '');
