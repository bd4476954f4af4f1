const headEnd = '\r\n\r\n';
/** The end of a chunked body. It cannot be inside one, because only JSON comes in chunks here, without line breaks. */
const lastChunk = Buffer.from('0\r\n\r\n');

/** An answer that was read: the length of its body, undefined if its status was no 2xx. */
export interface Read {
  readonly bodyBytes: number | undefined;
}

interface Head {
  readonly isGood: boolean;
  readonly length: number | undefined;
}

function headOf(text: string): Head {
  const isChunked = /^transfer-encoding: chunked/im.test(text);
  const length = isChunked ? undefined : Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  return { isGood: text.startsWith('HTTP/1.1 2'), length };
}

/** Finds the end of each answer on a connection. By hand: an HTTP parser takes as long as a fast server. */
export function createAnswerReader(): (part: Buffer) => Read | undefined {
  let early: Buffer | undefined;
  let head: Head | undefined;
  let bodyBytes = 0;
  let tail = Buffer.alloc(0);

  /** Whether the body has ended with these bytes of it. */
  const bodyEnds = ({ length }: Head, part: Buffer): boolean => {
    bodyBytes += part.length;
    if (length !== undefined) return bodyBytes >= length;
    tail = Buffer.concat([tail, part.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
    return tail.equals(lastChunk);
  };

  /** The part of the body that came with the end of the head; undefined while the head is not whole. */
  const readHead = (part: Buffer): Buffer | undefined => {
    const got = early ? Buffer.concat([early, part]) : part;
    const end = got.indexOf(headEnd);
    // A copy, because the connection's buffer is used again before the rest comes.
    early = end === -1 ? Buffer.from(got) : undefined;
    if (end === -1) return undefined;
    head = headOf(got.toString('latin1', 0, end));
    return got.subarray(end + headEnd.length);
  };

  return (part) => {
    const body = head ? part : readHead(part);
    if (!head || !body || !bodyEnds(head, body)) return undefined;
    const read: Read = { bodyBytes: head.isGood ? bodyBytes : undefined };
    head = undefined;
    bodyBytes = 0;
    tail = Buffer.alloc(0);
    return read;
  };
}
