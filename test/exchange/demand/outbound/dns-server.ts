import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What a name leads to; `silent` is never answered. What is not told is not there. */
export type Zone = Readonly<Record<string, { A?: string; ttlS?: number } | 'silent'>>;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(
  query: Buffer,
  end: number,
  addresses: readonly string[],
  code: number,
  ttlS: number,
): Buffer {
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    record.writeUInt32BE(ttlS, 6);
    return record;
  });
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}

/** A DNS server on loopback. `asked` tells the names of queries for A in their order. */
export async function startDnsServer(zone: Zone) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    if (type === 1) asked.push(name);
    const entry = zone[name];
    if (entry === 'silent') return;
    const addresses = type === 1 && entry?.A !== undefined ? [entry.A] : [];
    socket.send(
      answerTo(query, end, addresses, entry === undefined ? 3 : 0, entry?.ttlS ?? 0),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
