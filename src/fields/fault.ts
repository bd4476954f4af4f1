import type { Fault } from '../answers/failure.ts';

export type { Fault } from '../answers/failure.ts';

/** `management/http/errors.ts` maps each to one HTTP status. */
export type RefusalCode =
  | 'not_json'
  | 'unauthorized'
  | 'forbidden'
  | 'no_such_path'
  | 'wrong_method'
  | 'invalid'
  | 'changed_meanwhile'
  | 'too_large'
  | 'expectation_failed'
  | 'key_reused'
  | 'too_many'
  | 'unavailable';

/** Its text is safe to show to clients. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly faults: readonly Fault[];
  /** When a retry may succeed (429 and 503). */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: RefusalCode,
    message: string,
    more: { faults?: readonly Fault[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.faults = more.faults ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Checks need not look for more (reference, W20). */
export const faultsShownMax = 1000;

/** Longer paths are cut: clients may invent names in them. */
const pathShownMax = 2048;

function shown(fault: Fault): Fault {
  if (fault.Path.length <= pathShownMax) return fault;
  return { ...fault, Path: `${fault.Path.slice(0, pathShownMax)}…` };
}

function readable({ Path, Message }: Fault): string {
  return Path === '' ? Message : `${Path} ${Message}`;
}

/** All faults in one text (reference, W6); shows the first thousand. */
export function invalid(faults: readonly Fault[]): Refusal {
  const first = faults.slice(0, faultsShownMax).map(shown);
  const more = faults.length - first.length;
  const texts = [...first.map(readable), ...(more > 0 ? [`and at least ${more} more`] : [])];
  return new Refusal('invalid', texts.join('; '), { faults: first });
}

/** The faults in a step's refusal; other errors are rethrown. */
export function faultsBy(step: () => void): readonly Fault[] {
  try {
    step();
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid') return error.faults;
    throw error;
  }
}

/** `VastTag` + `Countries` + 1 + `CC` = `VastTag.Countries[1].CC`. */
export function pathOf(...parts: readonly (string | number)[]): string {
  return parts.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`;
    return path === '' ? part : `${path}.${part}`;
  }, '');
}
