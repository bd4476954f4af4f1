import { Checkbox, Switch, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, useRef } from 'react';
import { type Comparison, figuresQuery } from '../api/figures.ts';
import { type Stored, useSwitch } from '../api/objects.ts';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { isActive, nameOf } from '../parts/object-name.ts';
import { Trend } from '../parts/trend.tsx';
import { titleOf, valueText } from '../parts/value-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { HealthText } from './health.tsx';
import classes from './list-rows.module.css';
import { nextSort } from './sorting.ts';

const rowHeight = 44;
const widths = { check: 20, on: 36, name: 200, text: 130, number: 92, trend: 80, health: 120, gap: 16 };

const isNumeric = ({ form, references, labels }: ShownField) =>
  (form.type === 'integer' || form.type === 'number') && !references && !labels;

/** Whether the entity's objects are counted. */
const isCounted = ({ side }: ShownEntity) => side === 'supply' || side === 'demand' || side === 'account';

interface RowsProps {
  readonly entity: ShownEntity;
  readonly columns: readonly ShownField[];
  readonly objects: readonly Stored[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (ids: ReadonlySet<number>) => void;
}

/** The grid of a list: fixed parts, then a column for each field. */
function gridOf(entity: ShownEntity, columns: readonly ShownField[]) {
  const { check, on, name, gap, trend, health, text, number } = widths;
  const counted = isCounted(entity) ? [trend, health] : [];
  const fields = columns.map((field) => (isNumeric(field) ? number : text));
  const template = [
    ...[check, on].map((width) => `${width}px`),
    `minmax(${name}px, 2fr)`,
    ...[...counted, ...fields].map((width) => `minmax(${width}px, 1fr)`),
  ];
  const minWidth = [check, on, name, ...counted, ...fields].reduce((sum, width) => sum + width + gap, 0);
  return { template: template.join(' '), minWidth };
}

/** The rows of a list, of which only those in sight are drawn, and only their figures asked for. */
export function ListRows({ entity, columns, objects, sort, onSort, selected, onSelect }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: objects.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const shown = rows.getVirtualItems().flatMap(({ index, start }) => {
    const object = objects[index];
    return object ? [{ index, start, object }] : [];
  });
  const ids = isCounted(entity) ? shown.map(({ object }) => object.Id) : [];
  const { data: figures } = useQuery({ ...figuresQuery(entity.key, ids), placeholderData: keepPreviousData });
  const { template, minWidth } = gridOf(entity, columns);
  const isAll = selected.size > 0 && selected.size === objects.length;
  const select = (id: number, isChosen: boolean) => {
    const next = new Set(selected);
    if (isChosen) next.add(id);
    else next.delete(id);
    onSelect(next);
  };
  return (
    <div
      ref={box}
      className={classes.box}
      role="table"
      aria-label={entity.title}
      aria-rowcount={objects.length + 1}
    >
      <div className={classes.head} role="row" style={{ gridTemplateColumns: template, minWidth }}>
        <span role="columnheader">
          <Checkbox
            size="xs"
            aria-label="Select all"
            checked={isAll}
            indeterminate={selected.size > 0 && !isAll}
            onChange={() => onSelect(isAll ? new Set() : new Set(objects.map(({ Id }) => Id)))}
          />
        </span>
        <span role="columnheader">On</span>
        <Head name="Name" sort={sort} onSort={onSort} />
        {isCounted(entity) && (
          <>
            <span role="columnheader" title="Requests of the last 24 hours">
              24 hours
            </span>
            <span role="columnheader" title="What today's figures say">
              Health
            </span>
          </>
        )}
        {columns.map((field) => (
          <Head key={field.name} name={field.name} field={field} sort={sort} onSort={onSort} />
        ))}
      </div>
      <div style={{ height: rows.getTotalSize(), position: 'relative', minWidth }}>
        {shown.map(({ index, start, object }) => (
          <Row
            key={object.Id}
            {...{ entity, columns, object, index, start, template }}
            figures={figures?.get(object.Id)}
            isSelected={selected.has(object.Id)}
            onSelect={select}
          />
        ))}
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

const marks = { ascending: <ArrowUp size={12} />, descending: <ArrowDown size={12} />, none: '' } as const;

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
  readonly figures: Comparison | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (id: number, isChosen: boolean) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { entity, columns, object, index, start, template, figures, isSelected, onSelect } = props;
  const toggle = useSwitch(entity);
  const may = mayChange(useAccount());
  const isOn = isActive(object);
  const name = nameOf(object);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: rowHeight }}
    >
      <span role="cell">
        <Checkbox
          size="xs"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(object.Id, currentTarget.checked)}
        />
      </span>
      <span role="cell">
        <Switch
          size="xs"
          checked={isOn}
          disabled={!may || toggle.isPending}
          title={may ? undefined : analystReason}
          aria-label={`${name} is active`}
          onChange={() => toggle.mutate({ id: object.Id, isActive: !isOn })}
        />
      </span>
      <span role="cell" className={classes.cell}>
        <Link
          to={entity.side === 'list' ? '/console/$entity/$id/lines' : '/console/$entity/$id'}
          params={{ entity: entity.key, id: String(object.Id) }}
          className={classes.name}
          data-off={isOn ? undefined : true}
        >
          {name}
        </Link>
        <Text component="span" size="xs" c="dimmed" ml={8}>
          {object.Id}
        </Text>
      </span>
      {isCounted(entity) && (
        <>
          <span role="cell" className={classes.trend}>
            {figures && <Trend values={figures.Trend} label={`${figures.Today.Requests} requests today`} />}
          </span>
          <span role="cell" className={classes.cell}>
            <HealthText object={object} figures={figures} />
          </span>
        </>
      )}
      {columns.map((field) => (
        <span key={field.name} role="cell" className={isNumeric(field) ? classes.numberCell : classes.cell}>
          {valueText(field, object[field.name])}
        </span>
      ))}
    </div>
  );
});
