import { Switch, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import { type Stored, useSwitch } from '../api/objects.ts';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { isActive, nameOf } from '../parts/object-name.ts';
import { titleOf, valueText } from '../parts/value-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import classes from './list-rows.module.css';
import { nextSort } from './sorting.ts';

const rowHeight = 44;
const [nameWidth, textWidth, numberWidth, gap] = [220, 150, 120, 16];

const isNumeric = ({ form, references, labels }: ShownField) =>
  (form.type === 'integer' || form.type === 'number') && !references && !labels;

interface RowsProps {
  readonly entity: ShownEntity;
  readonly columns: readonly ShownField[];
  readonly objects: readonly Stored[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

/** The rows of a list, of which only those in sight are drawn. */
export function ListRows({ entity, columns, objects, sort, onSort }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: objects.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const widths = columns.map((field) => (isNumeric(field) ? numberWidth : textWidth));
  const template = [
    '48px',
    `minmax(${nameWidth}px, 2fr)`,
    ...widths.map((width) => `minmax(${width}px, 1fr)`),
  ].join(' ');
  const minWidth = [48, nameWidth, ...widths].reduce((sum, width) => sum + width + gap, 0);
  return (
    <div
      ref={box}
      className={classes.box}
      role="table"
      aria-label={entity.title}
      aria-rowcount={objects.length + 1}
    >
      <div className={classes.head} role="row" style={{ gridTemplateColumns: template, minWidth }}>
        <span role="columnheader">On</span>
        <Head name="Name" sort={sort} onSort={onSort} />
        {columns.map((field) => (
          <Head key={field.name} name={field.name} field={field} sort={sort} onSort={onSort} />
        ))}
      </div>
      <div style={{ height: rows.getTotalSize(), position: 'relative', minWidth }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const object = objects[index];
          return (
            object && (
              <Row
                key={object.Id}
                entity={entity}
                columns={columns}
                object={object}
                index={index}
                start={start}
                template={template}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly name: string;
  readonly field?: ShownField;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

const marks = { ascending: ' ▲', descending: ' ▼', none: '' } as const;

function Head({ name, field, sort, onSort }: HeadProps) {
  const rising = sort === name ? 'ascending' : 'none';
  const order = sort === `-${name}` ? 'descending' : rising;
  return (
    <span
      role="columnheader"
      aria-sort={order}
      className={field && isNumeric(field) ? classes.number : undefined}
    >
      <UnstyledButton fz="sm" fw={600} title={field?.help} onClick={() => onSort(nextSort(name, sort))}>
        {titleOf(name)}
        <span aria-hidden>{marks[order]}</span>
      </UnstyledButton>
    </span>
  );
}

interface RowProps {
  readonly entity: ShownEntity;
  readonly columns: readonly ShownField[];
  readonly object: Stored;
  readonly index: number;
  readonly start: number;
  readonly template: string;
}

const Row = memo(function Row({ entity, columns, object, index, start, template }: RowProps) {
  const toggle = useSwitch(entity);
  const may = mayChange(useAccount());
  const isOn = isActive(object);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: rowHeight }}
    >
      <span role="cell">
        <Switch
          size="xs"
          checked={isOn}
          disabled={!may || toggle.isPending}
          title={may ? undefined : analystReason}
          aria-label={`${nameOf(object)} is active`}
          onChange={() => toggle.mutate({ id: object.Id, isActive: !isOn })}
        />
      </span>
      <span role="cell" className={classes.cell}>
        <Link
          to="/console/$entity/$id"
          params={{ entity: entity.key, id: String(object.Id) }}
          className={classes.name}
          data-off={isOn ? undefined : true}
        >
          {nameOf(object)}
        </Link>
        <Text component="span" size="xs" c="dimmed" ml={8}>
          {object.Id}
        </Text>
      </span>
      {columns.map((field) => (
        <span key={field.name} role="cell" className={isNumeric(field) ? classes.numberCell : classes.cell}>
          {valueText(field, object[field.name])}
        </span>
      ))}
    </div>
  );
});
