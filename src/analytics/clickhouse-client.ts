import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Refusal } from '../fields/fault.ts';
import type { ClickHouseAddress } from '../reference/clickhouse-address.ts';

const requestMsMax = 60_000;

export type ClickHouse = ReturnType<typeof createClient>;

/** Connects with the first query. */
export function clientOf(address: ClickHouseAddress): ClickHouse {
  return createClient({
    ...address,
    application: 'bourse',
    request_timeout: requestMsMax,
    // Long filters do not fit into a URL.
    use_multipart_params_auto: true,
    compression: { request: true, response: false },
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** Errors that waiting cannot fix: who we say we are, and what is asked for. */
const ofSetting: ReadonlySet<string> = new Set([
  'AUTHENTICATION_FAILED',
  'UNKNOWN_USER',
  'WRONG_PASSWORD',
  'REQUIRED_PASSWORD',
  'IP_ADDRESS_NOT_ALLOWED',
  'UNKNOWN_DATABASE',
  'ACCESS_DENIED',
  'DATABASE_ACCESS_DENIED',
  'READONLY',
]);
/** About a row's values. */
const ofValues: ReadonlySet<string> = new Set([
  'CANNOT_PARSE_TEXT',
  'CANNOT_PARSE_QUOTED_STRING',
  'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
  'CANNOT_PARSE_NUMBER',
  'CANNOT_PARSE_DATE',
  'CANNOT_PARSE_DATETIME',
  'INCORRECT_DATA',
  'TYPE_MISMATCH',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
]);
/** The database cannot be ours as it is; waiting does not help. */
export class UnusableClickHouse extends Error {}

const ofConnection = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET)/;

const typeOf = (error: unknown) => (error instanceof ClickHouseError ? (error.type ?? '') : '');

/** Whether it will never take these values. */
export const isAboutValues = (error: unknown): boolean => ofValues.has(typeOf(error));

/** In one line; undefined if ClickHouse may only be away or busy. */
export function faultOfSetting(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnusableClickHouse) return error.message;
  if (error instanceof ClickHouseError)
    return ofSetting.has(typeOf(error)) ? firstLine(error.message) : undefined;
  const code = 'code' in error ? String(error.code) : '';
  const isAway = ofConnection.test(code) || /timeout|hang up|aborted/i.test(error.message);
  return isAway ? undefined : `the server there is not ClickHouse: ${firstLine(error.message) || code}`;
}

const lineMax = 300;
const firstLine = (text: string) => (text.split('\n', 1)[0] ?? '').slice(0, lineMax);

export function unavailableRefusal(error: unknown): Refusal {
  const refusal = new Refusal('unavailable', 'ClickHouse is unavailable; try again', {
    retryAfterSeconds: 10,
  });
  refusal.cause = error;
  return refusal;
}
