import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type ManyChange, sendBatch } from '../api/batch.ts';
import { countText } from '../parts/value-text.ts';
import { announce } from '../shell/announcements.ts';
import { type ChangeResult, runLots } from './run-lots.ts';

const hasDifference = ({ row }: ChangeResult): boolean =>
  row !== undefined && Object.keys({ ...row.Before, ...row.After }).length > 0;

/**
 * A bulk change: tried, then made in lots, which can be stopped and go on. What is refused stops nothing. `isAtOnce`: it
 * is made without having been tried.
 */
export function useBulk(changes: readonly ManyChange[], isAtOnce: boolean) {
  const client = useQueryClient();
  const [id] = useState(() => crypto.randomUUID());
  const [tried, setTried] = useState<readonly ChangeResult[]>([]);
  const [made, setMade] = useState<readonly ChangeResult[]>([]);
  const sent = useRef(made);
  const isStopped = useRef(false);
  const trying = useQuery({
    queryKey: ['tried', id],
    queryFn: ({ signal }) =>
      runLots(changes, [], {
        send: (lot, part) => sendBatch(lot, { id, part, isTried: true }),
        onProgress: setTried,
        isStopped: () => signal.aborted,
      }),
    enabled: !isAtOnce,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const wanted = useMemo(
    () => (isAtOnce ? changes : tried.filter(hasDifference).map(({ change }) => change)),
    [changes, tried, isAtOnce],
  );
  const making = useMutation({
    mutationFn() {
      isStopped.current = false;
      return runLots(wanted, sent.current, {
        send: (lot, part) => sendBatch(lot, { id, part }),
        onProgress(results) {
          sent.current = results;
          setMade(results);
        },
        isStopped: () => isStopped.current,
      });
    },
    onSuccess: (results) => announce(`${countText(results.filter(({ row }) => row).length)} changed`),
    onSettled: () =>
      Promise.all(
        ['objects', 'object', 'history', 'names'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      ),
  });
  return {
    id,
    wanted,
    tried: { results: tried, isPending: trying.isFetching, error: trying.error },
    made: { results: made, isPending: making.isPending, error: making.error },
    differences: (made.length > 0 ? made : tried).filter(hasDifference),
    refused: [...tried, ...made].filter(({ faults }) => faults),
    isDone: made.length > 0 && made.length === wanted.length && !making.isPending,
    start: () => making.mutate(),
    stop: () => {
      isStopped.current = true;
    },
  };
}
