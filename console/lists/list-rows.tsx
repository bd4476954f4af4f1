import { Checkbox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  type CSSProperties,
  type Dispatch,
  type MouseEvent,
  memo,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
} from 'react';
import type { Health } from '../../src/answers/object-health.ts';
import { type Comparison, figuresQuery } from '../api/figures.ts';
import type { Stored } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { healthQuery } from '../health/health.ts';
import { useSwitching } from '../objects/use-switching.tsx';
import { firstPart, isActive, objectName } from '../parts/object-name.ts';
import { SortBar } from '../parts/table/sort-bar.tsx';
import { SortButton } from '../parts/table/sort-button.tsx';
import { orderIn } from '../parts/table/sorting.ts';
import stacked from '../parts/table/stacked.module.css';
import { placeOf, useDrawnRows } from '../parts/table/use-drawn-rows.ts';
import { Trend } from '../parts/trend.tsx';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { cellText } from './cell-text.ts';
import { columnTitle, healthColumn, type ListColumn } from './columns.ts';
import { HealthText } from './health.tsx';
import classes from './list-rows.module.css';

const rowHeight = 44;
/** About that of a card: what it is about, then pairs in two columns. */
const cardHeight = (pairs: number) => 56 + Math.ceil(pairs / 2) * 48;
const widths = {
  ...{ check: 20, on: 36, name: 200, text: 130, number: 120, trend: 80, health: 170, gap: 16 },
  sentence: 320,
};

const isNumeric = ({ form, references, labels, phrase }: ListColumn) =>
  (form.type === 'integer' || form.type === 'number') && !references && !labels && !phrase;

/** Whether the entity's objects are counted. */
const isCounted = ({ side }: ShownEntity) => side === 'supply' || side === 'demand' || side === 'account';

interface RowsProps {
  readonly entity: ShownEntity;
  readonly columns: readonly ListColumn[];
  /** Those that are loaded, from the first on. */
  readonly objects: readonly Stored[];
  /** How many there are, loaded or not. */
  readonly total: number;
  /** Loads the next ones; absent while that is under way, and where there are no more. */
  readonly onMore: (() => void) | undefined;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly selected: ReadonlyMap<number, Stored>;
  readonly onSelect: Dispatch<SetStateAction<ReadonlyMap<number, Stored>>>;
  /** Selects all, loaded or not. */
  readonly onSelectAll: () => void;
}

/** How long rows stay in sight until their figures are asked for. */
const figuresAfterMs = 150;

function widthOf(column: ListColumn): number {
  if (column.name === healthColumn) return widths.health;
  if (column.phrase) return widths.sentence;
  return isNumeric(column) ? widths.number : widths.text;
}

/** The grid of a list: fixed parts, then a column for each field. */
function gridOf(entity: ShownEntity, columns: readonly ListColumn[]) {
  const { check, on, name, gap, trend } = widths;
  const counted = isCounted(entity) ? [trend] : [];
  const fields = columns.map(widthOf);
  const template = [
    ...[check, on].map((width) => `${width}px`),
    `minmax(${name}px, 260fr)`,
    ...[...counted, ...fields].map((width) => `minmax(${width}px, ${width}fr)`),
  ];
  const minWidth = [check, on, name, ...counted, ...fields].reduce((sum, width) => sum + width + gap, 0);
  return { template: template.join(' '), minWidth };
}

/** The rows of a list, of which only those in sight are drawn, and only their figures asked for. */
export function ListRows(props: RowsProps) {
  const { entity, columns, objects, total, onMore, selected, onSelect } = props;
  const box = useRef<HTMLDivElement>(null);
  const rows = useDrawnRows({
    count: total,
    box,
    rowHeight,
    cardHeight: cardHeight(columns.length + 1),
    overscan: 5,
  });
  const isShort = (rows.items.at(-1)?.index ?? 0) >= objects.length;
  useEffect(() => {
    if (isShort) onMore?.();
  }, [isShort, onMore]);
  const shown = rows.items.flatMap(({ index, start }) => {
    const object = objects[index];
    return object ? [{ index, start, object }] : [];
  });
  const figures = useFigures(entity, shown.map(({ object }) => object.Id).join());
  const hasHealth = columns.some(({ name }) => name === healthColumn);
  const health = useHealth(entity, hasHealth ? shown.map(({ object }) => object.Id).join() : '');
  const open = useOpening(entity);
  const { change: onSwitch, pendingId, question } = useSwitching(entity);
  const may = mayChange(useAccount());
  const { template, minWidth } = gridOf(entity, columns);
  const select = useCallback(
    (object: Stored, isChosen: boolean) =>
      onSelect((before) => {
        const next = new Map(before);
        if (isChosen) next.set(object.Id, object);
        else next.delete(object.Id);
        return next;
      }),
    [onSelect],
  );
  return (
    <>
      {rows.isStacked && <StackedHeads {...props} />}
      <div ref={box} className={classes.box} role="table" aria-label={entity.title} aria-rowcount={total + 1}>
        {rows.isStacked ? (
          <HeardHeads {...props} />
        ) : (
          <Heads {...props} style={{ gridTemplateColumns: template, minWidth }} />
        )}
        <div
          role="rowgroup"
          style={{ height: rows.height, position: 'relative', ...(!rows.isStacked && { minWidth }) }}
        >
          {shown.map(({ index, start, object }) => (
            <Row
              key={object.Id}
              {...{ entity, columns, object, index, start, template, may, onSwitch }}
              measure={rows.measure}
              href={open.addressOf(object.Id)}
              onOpen={open.onClick}
              isSwitching={pendingId === object.Id}
              figures={figures?.get(object.Id)}
              health={health?.get(object.Id)}
              isSelected={selected.has(object.Id)}
              onSelect={select}
            />
          ))}
        </div>
      </div>
      {question}
    </>
  );
}

/** The box that selects all objects. */
function SelectAll({
  total,
  selected,
  onSelect,
  onSelectAll,
  label,
}: RowsProps & { readonly label?: string }) {
  const isAll = selected.size > 0 && selected.size === total;
  return (
    <Checkbox
      size={label ? 'sm' : 'xs'}
      {...(label ? { label } : { 'aria-label': 'Select all' })}
      checked={isAll}
      indeterminate={selected.size > 0 && !isAll}
      onChange={() => (isAll ? onSelect(new Map()) : onSelectAll())}
    />
  );
}

/** What the heads of columns do where rows are cards. */
function StackedHeads(props: RowsProps) {
  const { columns, sort, onSort } = props;
  const names = ['Name', ...columns.map(({ name }) => name)];
  return (
    <SortBar names={names.map((name) => [name, columnTitle(name)])} sort={sort} onSort={onSort}>
      <SelectAll {...props} label="Select all" />
    </SortBar>
  );
}

/** The names of the columns for who hears the table: who sees it has them at each value. */
function HeardHeads({ entity, columns }: RowsProps) {
  const names = ['Selected', 'On', 'Name', ...(isCounted(entity) ? [trendTitle] : [])];
  return (
    <div className="visually-hidden" role="row">
      {[...names, ...columns.map(({ name }) => columnTitle(name))].map((title) => (
        <span key={title} role="columnheader">
          {title}
        </span>
      ))}
    </div>
  );
}

const trendTitle = '24 hours';

interface HeadsProps extends RowsProps {
  readonly style: CSSProperties;
}

/** The names of the columns, by which the rows are sorted, and the box that selects all of them. */
function Heads({ style, ...props }: HeadsProps) {
  const { entity, columns, sort, onSort } = props;
  return (
    <div className={classes.head} role="row" style={style}>
      <span role="columnheader">
        <SelectAll {...props} />
      </span>
      <span role="columnheader">On</span>
      <Head name="Name" sort={sort} onSort={onSort} />
      {isCounted(entity) && (
        <span role="columnheader" title="Requests of the last 24 hours">
          {trendTitle}
        </span>
      )}
      {columns.map((field) => (
        <Head key={field.name} name={field.name} field={field} sort={sort} onSort={onSort} />
      ))}
    </div>
  );
}

/** Figures of the rows that stay in sight, by ID. */
function useFigures(entity: ShownEntity, idsInSight: string) {
  const [ids] = useDebouncedValue(idsInSight, figuresAfterMs);
  const wanted = isCounted(entity) && ids !== '' ? ids.split(',').map(Number) : [];
  return useQuery({ ...figuresQuery(entity.key, wanted), placeholderData: keepPreviousData }).data;
}

const healthById = (all: readonly Health[]) => new Map(all.map((health) => [health.Id, health]));

/** Health of the rows that stay in sight, by ID. */
function useHealth(entity: ShownEntity, idsInSight: string) {
  const [ids] = useDebouncedValue(idsInSight, figuresAfterMs);
  return useQuery({
    ...healthQuery(entity, ids.split(',').map(Number)),
    enabled: ids !== '',
    placeholderData: keepPreviousData,
    select: healthById,
  }).data;
}

/** Where the rows' links lead, and how they are followed without a new page: links of the router cost too much each. */
function useOpening({ key, side }: ShownEntity) {
  const router = useRouter();
  const base = router.buildLocation({ to: '/console/$entity', params: { entity: key }, search: {} }).href;
  const addressOf = (id: number) => `${base}/${id}${firstPart(side)}`;
  const onClick = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void router.navigate({ href: event.currentTarget.getAttribute('href') ?? '' });
    },
    [router],
  );
  return { addressOf, onClick };
}

interface HeadProps {
  readonly name: string;
  readonly field?: ListColumn;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

function Head({ name, field, sort, onSort }: HeadProps) {
  return (
    <span
      role="columnheader"
      aria-sort={orderIn(sort, name)}
      className={field && isNumeric(field) ? classes.number : undefined}
    >
      <SortButton name={name} ta="inherit" title={field?.help} sort={sort} onSort={onSort}>
        {columnTitle(name)}
      </SortButton>
    </span>
  );
}

interface RowProps {
  readonly entity: ShownEntity;
  readonly columns: readonly ListColumn[];
  readonly object: Stored;
  readonly index: number;
  readonly start: number;
  readonly template: string;
  /** Where rows are cards. */
  readonly measure: ((row: HTMLElement | null) => void) | undefined;
  readonly figures: Comparison | undefined;
  readonly health: Health | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (object: Stored, isChosen: boolean) => void;
  readonly may: boolean;
  readonly href: string;
  readonly onOpen: (event: MouseEvent<HTMLAnchorElement>) => void;
  readonly isSwitching: boolean;
  readonly onSwitch: (object: Stored) => void;
}

/** Plain elements: dozens of rows come into sight with each turn of a wheel. */
const Row = memo(function Row(props: RowProps) {
  const { entity, columns, object, index, start, template, figures, health, isSelected, onSelect } = props;
  const { may, href, onOpen, isSwitching, onSwitch, measure } = props;
  const isCard = measure !== undefined;
  const cellClass = (field: ListColumn) => {
    if (field.phrase) return classes.sentence;
    return isNumeric(field) ? classes.numberCell : classes.cell;
  };
  const isOn = isActive(object);
  const name = objectName(object);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      ref={measure}
      data-index={index}
      className={isCard ? classes.card : classes.row}
      style={isCard ? placeOf(start) : { gridTemplateColumns: template, ...placeOf(start, rowHeight) }}
    >
      <span role="cell" className={isCard ? stacked.control : undefined}>
        <input
          type="checkbox"
          className={classes.check}
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(object, currentTarget.checked)}
        />
      </span>
      <span role="cell" className={isCard ? stacked.control : undefined}>
        <input
          type="checkbox"
          role="switch"
          className={classes.switch}
          checked={isOn}
          aria-checked={isOn}
          disabled={!may || isSwitching}
          title={may ? undefined : analystReason}
          aria-label={`${name} is active`}
          onChange={() => onSwitch(object)}
        />
      </span>
      <span role="cell" className={isCard ? stacked.subject : classes.cell}>
        <a href={href} onClick={onOpen} className={classes.name} data-off={isOn ? undefined : true}>
          {name}
        </a>
        <span className={classes.id}>{object.Id}</span>
      </span>
      {isCounted(entity) && (
        <span
          role="cell"
          className={isCard ? `${stacked.pair} ${classes.trend}` : classes.trend}
          data-label={isCard ? trendTitle : undefined}
        >
          {figures && <Trend values={figures.Trend} label={`${figures.Today.Requests} requests today`} />}
        </span>
      )}
      {columns.map((field) => (
        <span
          key={field.name}
          role="cell"
          className={isCard ? stacked.pair : cellClass(field)}
          data-label={isCard ? columnTitle(field.name) : undefined}
        >
          {field.name === healthColumn ? (
            <HealthText object={object} health={health} />
          ) : (
            cellText(field, object, figures)
          )}
        </span>
      ))}
    </div>
  );
});
