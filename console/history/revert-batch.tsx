import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { revertOf } from '../bulk/inverse.ts';
import { entityOf } from '../field-tables.ts';
import { fieldOf } from '../fields.ts';
import { type Change, fetchChanges } from '../objects/history/history.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';

const changesPerPage = 1000;

/** All changes of a bulk change, the newest first. */
async function changesOfBatch(id: string): Promise<readonly Change[]> {
  const all: Change[] = [];
  const { signal } = new AbortController();
  for (let Cursor: string | undefined; ; ) {
    const page = await fetchChanges({ BatchId: id }, { Limit: changesPerPage, Cursor, signal });
    all.push(...page.changes);
    if (page.next === undefined) return all;
    Cursor = page.next;
  }
}

function isSendable(key: string, name: string): boolean {
  const entity = entityOf(key);
  const field = entity && fieldOf(entity, name);
  return field !== undefined && field.presence !== 'derived' && field.place !== 'listText';
}

/** Puts everything that a bulk change did back to what it was before, once the differences have been looked at. */
export function RevertBatch({ id }: { readonly id: string }) {
  const may = mayChange(useAccount());
  const loading = useMutation({
    mutationFn: async () =>
      revertOf(
        (await changesOfBatch(id)).filter(({ Entity }) => entityOf(Entity)),
        isSendable,
      ),
  });
  return (
    <>
      {loading.error && (
        <Text size="xs" c="red" role="alert">
          {loading.error.message}
        </Text>
      )}
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<Undo2 size={12} />}
        disabled={!may}
        loading={loading.isPending}
        title={may ? 'Shows what would go back to the values before this bulk change' : analystReason}
        onClick={() => loading.mutate()}
      >
        Revert all…
      </Button>
      {loading.data && <BulkDialog changes={loading.data} onClose={() => loading.reset()} />}
    </>
  );
}
