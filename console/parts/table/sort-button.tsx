import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { nextSort, orderIn } from './sorting.ts';

const marks = { ascending: <ArrowUp size={12} />, descending: <ArrowDown size={12} />, none: '' } as const;

interface SortButtonProps extends UnstyledButtonProps {
  /** What `sort` calls its column. */
  readonly name: string;
  readonly title: string | undefined;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly children: ReactNode;
}

/** Sorts by a column, in whose head it stands. */
export function SortButton({ name, sort, onSort, children, ...props }: SortButtonProps) {
  return (
    <UnstyledButton fz="sm" fw={600} {...props} onClick={() => onSort(nextSort(name, sort))}>
      {children}
      <span aria-hidden>{marks[orderIn(sort, name)]}</span>
    </UnstyledButton>
  );
}
