import type { ApiRequest } from '../../api/call.ts';
import type { Conversion } from './convert-lines.ts';

export interface TextSource {
  readonly request: ApiRequest<`api/${string}/get`>;
  /** The page's base address. */
  readonly base: string;
  /** Tells this state from the list's others. */
  readonly state: string;
}

/** Asks for a page of the lines in which a text occurs. */
export interface LinesQuestion {
  readonly kind: 'lines';
  readonly of: TextSource;
  /** Leaves out the lines that are also here. */
  readonly without?: TextSource | undefined;
  readonly query: string;
  readonly from: number;
  readonly count: number;
}

export interface TextQuestion {
  readonly kind: 'text';
  readonly of: TextSource;
  /** Lines that are put before it. */
  readonly first?: Blob | undefined;
}

/** Asks what lines become that are a table, or addresses of the web. */
export interface ConversionQuestion {
  readonly kind: 'conversion';
  readonly of: Blob;
  /** Key of the list's entity. */
  readonly list: string;
  /** Index of the column to take; absent = the one that fits best. */
  readonly column?: number | undefined;
}

/** What lines become, with the lines as they would be sent. */
export interface ConvertedLines extends Omit<Conversion, 'text'> {
  readonly blob: Blob;
}

/** A line, with its number from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

export interface FoundLines {
  /** How many lines there are without the query. */
  readonly all: number;
  readonly found: number;
  readonly lines: readonly NumberedLine[];
}

export interface Answers {
  readonly lines: FoundLines;
  readonly text: Blob;
  /** Undefined where nothing would change. */
  readonly conversion: ConvertedLines | undefined;
}

export type AnyQuestion = LinesQuestion | TextQuestion | ConversionQuestion;
