import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32 } from 'node:zlib';

export interface SqliteSettings {
  readonly path: string;
  readonly pragmas: string;
}

/** What the thread is asked. */
export type Question =
  | { readonly kind: 'append'; readonly bytes: Uint8Array; readonly ends: Uint32Array }
  | { readonly kind: 'read'; readonly from: number; readonly bytesMax: number }
  | { readonly kind: 'drop'; readonly until: number }
  | { readonly kind: 'close' };

/** One after the other, and where each ends. */
export interface ReadRows {
  readonly until: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array;
}

const recordBytesMax = 4096;
const { path, pragmas }: SqliteSettings = workerData;
const database = new DatabaseSync(path);
database.exec(`${pragmas}; create table if not exists record
  (id integer primary key, sum integer not null, bytes blob not null) strict;
  create table if not exists place (consumer text primary key, id integer not null) strict`);
const insert = database.prepare('insert into record (sum, bytes) values (?, ?)');
const select = database.prepare('select id, sum, bytes from record where id > ? order by id');
const remove = database.prepare('delete from record where id <= ?');
const keep = database.prepare("insert or replace into place values ('bench', ?)");

function append(bytes: Uint8Array, ends: Uint32Array): void {
  database.exec('begin immediate');
  let begin = 0;
  for (const end of ends) {
    const record = bytes.subarray(begin, end);
    insert.run(crc32(record), record);
    begin = end;
  }
  database.exec('commit');
}

function read(from: number, bytesMax: number): ReadRows {
  const bytes = new Uint8Array(bytesMax + recordBytesMax);
  const ends: number[] = [];
  let [until, end] = [from, 0];
  for (const row of select.iterate(from)) {
    const record = row.bytes as Uint8Array;
    if (crc32(record) !== row.sum) throw new Error(`record ${row.id} is damaged`);
    bytes.set(record, end);
    end += record.length;
    ends.push(end);
    until = Number(row.id);
    if (end >= bytesMax) break;
  }
  return { until, bytes, ends: Uint32Array.from(ends) };
}

function answer(question: Question): ReadRows | undefined {
  switch (question.kind) {
    case 'append':
      append(question.bytes, question.ends);
      return undefined;
    case 'read':
      return read(question.from, question.bytesMax);
    case 'drop':
      database.exec('begin immediate');
      remove.run(question.until);
      keep.run(question.until);
      database.exec('commit');
      database.exec('pragma wal_checkpoint(passive)');
      return undefined;
    case 'close':
      database.close();
      return undefined;
  }
}

parentPort?.on('message', (question: Question) => {
  const answered = answer(question);
  parentPort?.postMessage(answered, answered ? [answered.bytes.buffer] : []);
  if (question.kind === 'close') parentPort?.close();
});
