import { Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ListOptions } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import type { ListColumn } from '../lists/columns.ts';
import { countText } from '../parts/value-text.ts';
import { objectBounds } from './sheet.ts';

interface MenuProps {
  readonly entity: ShownEntity;
  readonly columns: readonly ListColumn[];
  /** Which objects the list shows, and in which order. */
  readonly asked: ListOptions;
  readonly total: number;
  readonly onError: (error: Error | undefined) => void;
}

const kinds = ['XLSX', 'CSV'] as const;

/** Gives out what a list shows as a file: with its columns, or with all settings. */
export function ExportMenu({ entity, columns, asked, total, onError }: MenuProps) {
  const client = useQueryClient();
  const exporting = useMutation({
    async mutationFn({ kind, isAll }: { readonly kind: (typeof kinds)[number]; readonly isAll: boolean }) {
      const { exportList } = await import('./export-list.ts');
      await exportList(client, { entity, kind, columns: isAll ? undefined : columns, asked });
    },
    onMutate: () => onError(undefined),
    onError,
  });
  const isTooMany = total > objectBounds.rowsMax;
  const reason = isTooMany
    ? `At most ${countText(objectBounds.rowsMax)} objects are exported at once: narrow the list by a search or filter`
    : undefined;
  const items = (isAll: boolean, label: string) => (
    <>
      <Menu.Label>{label}</Menu.Label>
      {kinds.map((kind) => (
        <Menu.Item
          key={kind}
          aria-label={`${label} as ${kind}`}
          onClick={() => exporting.mutate({ kind, isAll })}
        >
          {kind === 'XLSX' ? 'XLSX, for spreadsheets' : 'CSV'}
        </Menu.Item>
      ))}
    </>
  );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          visibleFrom="sm"
          leftSection={<Download size={16} />}
          disabled={total === 0 || isTooMany}
          title={reason}
          loading={exporting.isPending}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items(false, 'Columns of this list')}
        {items(true, 'All settings')}
      </Menu.Dropdown>
    </Menu>
  );
}
