import { ActionIcon, Group, NativeSelect } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { orderIn } from './sorting.ts';
import stacked from './stacked.module.css';

interface SortBarProps {
  /** The columns that rows can be sorted by, by what `sort` calls them. */
  readonly names: readonly (readonly [key: string, title: string])[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  /** What else the head of the table has, as the box that selects all rows. */
  readonly children?: ReactNode;
}

/** Sorts a table whose rows are cards, as the heads of its columns do elsewhere. */
export function SortBar({ names, sort, onSort, children }: SortBarProps) {
  const key = sort?.replace(/^-/, '') ?? '';
  const isFalling = orderIn(sort, key) === 'descending';
  return (
    <div className={stacked.bar}>
      {children}
      <Group gap="xs" wrap="nowrap" ml="auto">
        <NativeSelect
          size="sm"
          aria-label="Sort by"
          data={[{ value: '', label: 'Sort by…' }, ...names.map(([value, label]) => ({ value, label }))]}
          value={key}
          onChange={({ currentTarget: { value } }) => onSort(value === '' ? undefined : `-${value}`)}
        />
        <ActionIcon
          size={36}
          variant="default"
          aria-label={isFalling ? 'Sort ascending' : 'Sort descending'}
          disabled={sort === undefined}
          onClick={() => onSort(isFalling ? key : `-${key}`)}
        >
          {isFalling ? <ArrowDown size={16} /> : <ArrowUp size={16} />}
        </ActionIcon>
      </Group>
    </div>
  );
}
