import { ActionIcon, Modal, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Terminal } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import type { ApiRequest } from '../api/call.ts';

const load = () => import('./calls.tsx');
const Calls = lazy(async () => ({ default: (await load()).Calls }));

interface CallProps {
  /** What can be done here, each by its name: the very requests that the console sends. */
  readonly calls: Readonly<Record<string, ApiRequest>>;
  /** Among the small buttons of a row. */
  readonly isSmall?: boolean;
}

let closeShown: (() => void) | undefined;

// Here before any dialog: Escape is to leave the one open from which this was opened.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !closeShown) return;
    event.stopImmediatePropagation();
    closeShown();
  },
  { capture: true },
);

/** Shows what a program would send to do the same. */
export function ApiCall({ calls, isSmall = false }: CallProps) {
  const [isOpen, { open, close }] = useDisclosure();
  useEffect(() => {
    if (!isOpen) return;
    closeShown = close;
    return () => {
      closeShown = undefined;
    };
  }, [isOpen, close]);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={isSmall ? 'sm' : 'lg'}
        aria-label="As API call"
        aria-description={Object.keys(calls).join(', ')}
        title="As API call"
        onMouseEnter={() => void load()}
        onFocus={() => void load()}
        onClick={open}
      >
        <Terminal size={isSmall ? 14 : 16} />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title="As API call" size="xl">
        <Suspense fallback={<Skeleton h={240} />}>
          <Calls calls={calls} />
        </Suspense>
      </Modal>
    </>
  );
}
