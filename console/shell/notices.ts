import { announce } from './announcements.ts';

/** What was done, and how it is undone. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => Promise<unknown>) | undefined;
}

const noticesMax = 3;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** Tells what was done, on screen and to who hears it, and offers to undo it. */
function notify(text: string, undo?: Notice['undo']): void {
  lastId += 1;
  set([...notices, { id: lastId, text, undo }].slice(-noticesMax));
  announce(undo ? `${text}. Press Ctrl+Z to undo.` : text);
}

/** Something that is done, and what a notice says of it. */
interface Deed {
  readonly text: string;
  readonly run: () => Promise<unknown>;
}

/** Tells what was done, and offers the opposite; after that, the deed again. */
export function offerUndo(done: Deed, opposite: Deed): void {
  notify(done.text, async () => {
    await opposite.run();
    offerUndo(opposite, done);
  });
}

export const dismiss = (id: number): void => set(notices.filter((notice) => notice.id !== id));

/** Undoes what a notice tells of, and tells if that fails. */
export async function undo(notice: Notice): Promise<void> {
  dismiss(notice.id);
  try {
    await notice.undo?.();
  } catch (error) {
    notify(`That could not be undone: ${error instanceof Error ? error.message : error}`);
  }
}

export const shownNotices = (): readonly Notice[] => notices;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
