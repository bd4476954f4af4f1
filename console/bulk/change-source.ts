import type { ReactNode } from 'react';
import type { ManyChange } from '../api/batch.ts';

/** Where changes come from that stand or fall together. */
export interface ChangeSource {
  /** What else there is to know of it. */
  readonly note: ReactNode;
  /** As `Row 7`. */
  readonly placeOf: (change: ManyChange) => string;
  /** What to do where some are refused. */
  readonly remedy: string;
}
