import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { changedIn } from '../../api/answers.ts';
import type { Stored } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { type LinesRequest, sendLines } from './send-lines.ts';

/** An upload that is under way, or was. */
export interface Sender {
  /** Share of the file that is sent, from 0 to 1; undefined while nothing is. */
  readonly share: number | undefined;
  /** `key` says that a repetition is the same request. */
  readonly send: (request: LinesRequest, lines: Blob, key: string) => Promise<Stored | undefined>;
  readonly cancel: () => void;
}

const question = 'The lines are still being sent. Leave and cancel the upload?';

/** Sends a list's lines, one upload at a time; asks before the screen is left meanwhile. */
export function useSend({ wrapper }: ShownEntity): Sender {
  const [share, setShare] = useState<number>();
  const controller = useRef<AbortController>(undefined);
  const isSending = share !== undefined;
  useBlocker({
    shouldBlockFn: () => controller.current !== undefined && !window.confirm(question),
    enableBeforeUnload: () => controller.current !== undefined,
    disabled: !isSending,
  });
  useEffect(() => () => controller.current?.abort(), []);
  return {
    share,
    /** Answers nothing where it was cancelled; rejects with `CallError`. */
    async send(request, lines, key) {
      if (controller.current) return undefined;
      const own = new AbortController();
      controller.current = own;
      setShare(0);
      try {
        const options = { key, onProgress: setShare, signal: own.signal };
        return changedIn(await sendLines(request, lines, options), wrapper);
      } catch (error) {
        if (own.signal.aborted) return undefined;
        throw error;
      } finally {
        controller.current = undefined;
        setShare(undefined);
      }
    },
    cancel: () => controller.current?.abort(),
  };
}
