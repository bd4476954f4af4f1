/** Bits of an IPv6 address, as `0` and `1`, that a network fixes: IPv4 lies in the first 2^32 addresses. */
export type Network = readonly [bits: string, record: Readonly<Record<string, unknown>>];

type Node = [left: Node | number | undefined, right: Node | number | undefined];

const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

function sized(type: number, size: number): Buffer {
  const [first, ...more] = size < 29 ? [size] : [29, size - 29];
  return type > 7
    ? Buffer.from([first ?? 0, type - 7, ...more])
    : Buffer.from([(type << 5) | (first ?? 0), ...more]);
}

/** A value in the data format of MaxMind DB 2.0: maps, texts and unsigned integers. */
function encoded(value: unknown): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([sized(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([sized(6, 4), bytes]);
  }
  const entries = Object.entries(value as object);
  return Buffer.concat([
    sized(7, entries.length),
    ...entries.flatMap(([key, each]) => [encoded(key), encoded(each)]),
  ]);
}

function insert(root: Node, bits: string, offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const side = Number(bit) as 0 | 1;
    if (!Array.isArray(node[side])) node[side] = [undefined, undefined];
    node = node[side] as Node;
  }
  node[Number(bits.at(-1)) as 0 | 1] = offset;
}

/** The nodes of a tree, the root first. */
function nodesOf(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) for (const side of node) if (Array.isArray(side)) nodes.push(side);
  return nodes;
}

/** A MaxMind DB file (format 2.0, records of 24 bits) of these networks. */
export function mmdbFile(networks: readonly Network[], ipVersion: 4 | 6 = 6): Buffer {
  const root: Node = [undefined, undefined];
  const data: Buffer[] = [];
  for (const [bits, record] of networks) {
    insert(root, bits, Buffer.concat(data).length);
    data.push(encoded(record));
  }
  const nodes = nodesOf(root);
  const places = new Map(nodes.map((node, place) => [node, place]));
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [place, node] of nodes.entries()) {
    for (const [side, to] of node.entries()) {
      const known = Array.isArray(to)
        ? (places.get(to) ?? 0)
        : nodes.length + (to === undefined ? 0 : 16 + to);
      tree.writeUIntBE(known, place * 6 + side * 3, 3);
    }
  }
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_800_000_000,
    database_type: 'Test-Country',
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

/** The bits of an IPv4 network in an IPv6 tree. */
export function ipv4Bits(address: string, length: number): string {
  const bits = address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return '0'.repeat(96) + bits.join('').slice(0, length);
}
