import type { GoodLines } from './leave-out.ts';

/** Asks for lines without those that the server would refuse. */
export interface LeaveOutQuestion {
  readonly of: Blob;
  /** Key of the list's entity. */
  readonly list: string;
}

export interface LeaveOutAnswer extends Omit<GoodLines, 'text'> {
  readonly rest: Blob;
}
