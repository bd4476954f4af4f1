import { Button } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ShownEntity } from '../field-tables.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';

const load = () => import('./import-dialog.tsx');
const ImportDialog = lazy(async () => ({ default: (await load()).ImportDialog }));

/** Takes an exported file back, with what was changed in it. */
export function ImportButton({ entity }: { readonly entity: ShownEntity }) {
  const may = mayChange(useAccount());
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<FileUp size={16} />}
        disabled={!may}
        title={may ? undefined : analystReason}
        onMouseEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(true)}
      >
        Import
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog entity={entity} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
