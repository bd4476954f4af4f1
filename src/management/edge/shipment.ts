import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { invalid, type Refusal } from '../../fields/fault.ts';
import type { SentRecords } from '../../statistics/consume-events.ts';
import type { ShippedProcess } from '../../store/statistics/interface.ts';

/** Records of an edge's outbox, and up to when a process has shipped what it acknowledged. */
export interface Shipment {
  readonly sent?: SentRecords | undefined;
  readonly shipped?: Omit<ShippedProcess, 'notedMs'> | undefined;
}

/** As sent. */
export const shipmentBytesMax = 16 * 1024 * 1024;
const unpackedBytesMax = 64 * 1024 * 1024;
const recordsMax = 100_000;
const nameCharactersMax = 500;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Gzip of JSON. Records are UTF-8. */
export function packShipment({ sent, shipped }: Shipment): Promise<Buffer> {
  const Sent = sent && { ...sent, records: sent.records.map((record) => record.toString()) };
  return zip(JSON.stringify({ Sent, Shipped: shipped }));
}

type Json = Readonly<Record<string, unknown>>;

const wrong = (what: string): Refusal =>
  invalid([{ Path: '', Code: 'format', Message: `the shipment has ${what}` }]);
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= nameCharactersMax &&
  value.isWellFormed() &&
  !value.includes('\0');
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function sentIn(value: unknown): SentRecords | undefined {
  if (value === undefined) return undefined;
  if (!isJson(value)) throw wrong('no records');
  const { source, records, places } = value;
  if (!isName(source)) throw wrong('no source');
  if (!Array.isArray(records) || !Array.isArray(places) || records.length !== places.length)
    throw wrong('no place for each record');
  if (records.length > recordsMax) throw wrong(`more than ${recordsMax} records`);
  if (!records.every((record) => typeof record === 'string')) throw wrong('a record that is no text');
  const areRising = places.every((place, index) => isCount(place) && place > (places[index - 1] ?? 0));
  if (!areRising) throw wrong('places that do not rise');
  return { source, records: records.map((record) => Buffer.from(record)), places };
}

function shippedIn(value: unknown): Shipment['shipped'] {
  if (value === undefined) return undefined;
  if (!isJson(value)) throw wrong('no process');
  const { process, name, untilMs, isDone } = value;
  if (isName(process) && isName(name) && isCount(untilMs) && typeof isDone === 'boolean')
    return { process, name, untilMs, isDone };
  throw wrong('a process that makes no sense');
}

/** Refuses with `invalid` what is malformed or too long. */
export async function readShipment(body: Buffer): Promise<Shipment> {
  let value: unknown;
  try {
    value = JSON.parse((await unzip(body, { maxOutputLength: unpackedBytesMax })).toString());
  } catch (error) {
    throw wrong(`no gzip of JSON, or too much of it: ${error instanceof Error ? error.message : error}`);
  }
  if (!isJson(value)) throw wrong('no object');
  return { sent: sentIn(value.Sent), shipped: shippedIn(value.Shipped) };
}
