/** Every kind of fault, and what it means. */
export const faultCodes = {
  bad_line: 'Lines of a text cannot be read',
  changed: 'Was changed since it was fetched',
  common: 'Is a password that many people have, and that anybody would try first',
  contradiction: 'Two parts of a request say different things',
  duplicate: 'Stands twice where it may stand once',
  encoding: 'Holds characters that cannot be stored, or is not UTF-8',
  format: 'Does not have the form that is wanted',
  last_administrator: 'Would leave the team without an active administrator',
  link_used: 'Is the secret of no link, or of one that was used or has expired',
  macro: 'A URL holds a macro that may not stand there',
  not_found: 'Names what does not exist',
  out_of_range: 'Is below or above its bounds, or none of the values that are allowed',
  own_user: 'Names the user who calls, whom this must not happen to',
  read_only: 'Is made by the server and cannot be changed',
  required: 'Is missing or empty',
  second_factor: 'Is the code of the second factor, and missing or wrong',
  taken: 'Belongs to another object already',
  too_deep: 'Is nested too deep',
  too_long: 'Holds more characters, items or members than are allowed',
  too_short: 'Holds fewer characters than are wanted',
  type: 'Is of another JSON type than is wanted',
  unknown_field: 'Is no member that is known here',
  unknown_parameter: 'Is no parameter that is known here',
  wrong_password: 'Is not the password of the user',
  wrong_state: 'Is not possible as things are now; the message says what is in the way',
  wrapper: 'The body does not have exactly the one key that is wanted',
} as const;

/** A kind of fault. */
export type FaultCode = keyof typeof faultCodes;

/** One thing that is wrong with a request: where, which kind, and what would be right (reference, W7). */
export interface Fault {
  /** Path of the value, as `VastTag.Countries[1].CC`; empty where the request as a whole is meant. */
  readonly Path: string;
  readonly Code: FaultCode;
  readonly Message: string;
}

/** Why a request is refused. The edge (`management/http/errors.ts`) maps each to one HTTP status. */
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

/** A refusal with a text that is safe to show to the client, and the faults behind it where there are any. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly faults: readonly Fault[];
  /** Seconds after which the same request may succeed (429 and 503). */
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

/** Most faults that one answer shows. Once there are more, checks need not look for others (reference, W20). */
export const faultsShownMax = 1000;

/** A path may contain names that a client has made up; longer paths are cut. */
const pathShownMax = 2048;

function shown(fault: Fault): Fault {
  if (fault.Path.length <= pathShownMax) return fault;
  return { ...fault, Path: `${fault.Path.slice(0, pathShownMax)}…` };
}

function readable({ Path, Message }: Fault): string {
  return Path === '' ? Message : `${Path} ${Message}`;
}

/** The refusal of a request with these faults, in one readable string (reference, W6); shows the first thousand. */
export function invalid(faults: readonly Fault[]): Refusal {
  const first = faults.slice(0, faultsShownMax).map(shown);
  const more = faults.length - first.length;
  const texts = [...first.map(readable), ...(more > 0 ? [`and at least ${more} more`] : [])];
  return new Refusal('invalid', texts.join('; '), { faults: first });
}

/** The faults that a step refuses with (`invalid`); none where it does not. Other errors are thrown on. */
export function faultsBy(step: () => void): readonly Fault[] {
  try {
    step();
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid') return error.faults;
    throw error;
  }
}

/** Appends a member to a path: `VastTag` + `Countries` + 1 + `CC` = `VastTag.Countries[1].CC`. */
export function pathOf(...parts: readonly (string | number)[]): string {
  return parts.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`;
    return path === '' ? part : `${path}.${part}`;
  }, '');
}
