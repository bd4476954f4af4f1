const endOfDirectory = 0x06054b50;
const endBytes = 22;
const commentBytesMax = 65_535;
const entry = 0x02014b50;
const entryBytes = 46;
const sizeFollows = 8;
const isStored = 0;

function endAt(view: DataView): number | undefined {
  const least = Math.max(0, view.byteLength - endBytes - commentBytesMax);
  for (let at = view.byteLength - endBytes; at >= least; at -= 1) {
    if (view.getUint32(at, true) === endOfDirectory) return at;
  }
  return undefined;
}

/** What an entry of the directory says that it unpacks to; Infinity for what says nothing that can be held to. */
function declaredAt(view: DataView, at: number): number {
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
  const [packed, unpacked] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
  if (method === isStored) return packed;
  const isSilent = (packed > 0 && unpacked === 0) || (packed === 0 && (flags & sizeFollows) !== 0);
  return isSilent ? Number.POSITIVE_INFINITY : unpacked;
}

/**
 * To how many bytes the parts of a ZIP archive unpack, by its directory (APPNOTE.TXT 4.3.12), which readers hold each
 * part to. Undefined for what is no archive.
 */
export function declaredBytes(archive: Uint8Array): number | undefined {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = view.byteLength < endBytes ? undefined : endAt(view);
  if (end === undefined) return undefined;
  const count = view.getUint16(end + 10, true);
  let [at, sum] = [view.getUint32(end + 16, true), 0];
  for (let index = 0; index < count; index += 1) {
    if (at + entryBytes > view.byteLength || view.getUint32(at, true) !== entry) return undefined;
    sum += declaredAt(view, at);
    at += entryBytes + [28, 30, 32].reduce((bytes, place) => bytes + view.getUint16(at + place, true), 0);
  }
  return sum;
}
