import type { ConfigurationObject } from '../configuration.ts';
import type { CooperativeTask } from '../cooperative-task.ts';
import { type Form, formFromShared, type SharedForm, sharedForm } from './forms.ts';
import type { MovedObject, ObjectPacker } from './object-packer.ts';
import { formNumberAt, PackedObject } from './packed-object.ts';
import { type Location, type Segment, segmentOn } from './segments.ts';

/** Places in shared memory: number of the segment and place in it, in turn. */
type Locations = Int32Array<SharedArrayBuffer>;

/** What became of objects at a time. */
interface Entry {
  readonly number: number;
  /** Where objects lie that have come or changed. */
  readonly added: Locations;
  /** Objects that were moved: where they lay, and where they lie, in turn. */
  readonly moved: Locations;
}

/** What a thread tells another one of its objects: where they lie in memory that both have. */
export interface ObjectLocations {
  readonly revision: number;
  /** Number of the last entry. */
  readonly number: number;
  readonly entries: readonly Entry[];
  /** Those that the other thread does not know yet. */
  readonly forms: readonly SharedForm[];
  /** All segments; the memory of those that the other thread does not know yet. */
  readonly segments: readonly (Pick<Segment, 'number'> & Partial<Pick<Segment, 'memory'>>)[];
}

/** What a thread knows of the objects of another one. */
export interface KnownObjects {
  /** Number of the last entry that it has served; undefined where there was none. */
  readonly after: number | undefined;
  readonly forms: number;
  readonly segments: readonly number[];
}

/** A thread that is further behind than this is told of all objects. */
const entriesMax = 64;
const locationsMax = 50_000;
const objectsPerPiece = 100;

function locationsOf(rooms: Iterable<Location>): Locations {
  const numbers: number[] = [];
  for (const { segment, at } of rooms) numbers.push(segment.number, at);
  const shared = new Int32Array(new SharedArrayBuffer(numbers.length * Int32Array.BYTES_PER_ELEMENT));
  shared.set(numbers);
  return shared;
}

/** Notes what becomes of the objects that a thread has packed, to tell others of it. */
export function createObjectLog(packing: Pick<ObjectPacker, 'forms' | 'segments' | 'served'>) {
  let entries: Entry[] = [];
  let number = 0;
  let rooms = 0;
  let revision = 0;
  const none = locationsOf([]);
  const sizeOf = ({ added, moved }: Entry) => added.length + moved.length;
  const add = (added: Locations, moved: Locations) => {
    number += 1;
    const entry = { number, added, moved };
    entries.push(entry);
    rooms += sizeOf(entry);
    while (entries.length > entriesMax || rooms > locationsMax) {
      const [oldest, ...others] = entries;
      if (!oldest) break;
      rooms -= sizeOf(oldest);
      entries = others;
    }
  };
  return {
    revision: () => revision,
    /** Notes objects that are served now, at a revision. */
    noteAdded(objects: readonly ConfigurationObject[], at: number): void {
      const packed = objects.filter((object) => object instanceof PackedObject);
      if (packed.length > 0) add(locationsOf(packed.map(({ location }) => location)), none);
      revision = at;
    },
    noteMoved(moved: readonly MovedObject[]): void {
      if (moved.length > 0)
        add(none, locationsOf(moved.flatMap(({ from, object }) => [from, object.location])));
    },
    /** What has become of objects since a thread was told; all objects where it never was, or too long ago. */
    since({ after, forms, segments }: KnownObjects): ObjectLocations {
      const isKept = after !== undefined && after >= number - entries.length;
      const has = new Set(segments);
      const told = ({ number: segment, memory }: Segment) =>
        has.has(segment) ? { number: segment } : { number: segment, memory };
      const all = () => ({
        number,
        added: locationsOf(packing.served().map(({ location }) => location)),
        moved: none,
      });
      return {
        revision,
        number,
        forms: packing.forms.slice(forms).map(sharedForm),
        entries: isKept ? entries.filter((entry) => entry.number > after) : [all()],
        segments: packing.segments().map(told),
      };
    },
  };
}

/** Finds the object that is served under an entity and ID. */
export type ServedAs = (
  object: Pick<ConfigurationObject, 'entity' | 'id'>,
) => ConfigurationObject | undefined;

/** A place as it was told, and where the object lay before, if it was moved. */
interface ReportedLocation {
  readonly segment: number;
  readonly at: number;
  /** Key of the place from which a known object was moved; undefined where an object has come. */
  readonly from: string | undefined;
}

const locationKey = (segment: number, at: number) => `${segment}:${at}`;

/** Where objects have come that nobody has moved since. */
function* placesOf(entries: readonly Entry[]): Generator<ReportedLocation> {
  for (const { added } of entries) {
    for (let place = 0; place < added.length; place += 2) {
      yield { segment: added[place] as number, at: added[place + 1] as number, from: undefined };
    }
  }
}

/** Where objects lie after all entries. */
function placesAfter(entries: readonly Entry[]): Iterable<ReportedLocation> {
  if (entries.every(({ moved }) => moved.length === 0)) return placesOf(entries);
  const places = new Map<string, ReportedLocation>();
  for (const { added, moved } of entries) {
    for (let place = 0; place < added.length; place += 2) {
      const [segment, at] = [added[place] as number, added[place + 1] as number];
      places.set(locationKey(segment, at), { segment, at, from: undefined });
    }
    for (let place = 0; place < moved.length; place += 4) {
      const [fromSegment, fromAt, segment, at] = moved.subarray(place, place + 4) as unknown as number[];
      const key = locationKey(fromSegment as number, fromAt as number);
      const known = places.get(key);
      places.delete(key);
      const to = { segment: segment as number, at: at as number, from: known ? known.from : key };
      places.set(locationKey(to.segment, to.at), to);
    }
  }
  return places.values();
}

const keyOfLocation = ({ segment, at }: Location) => locationKey(segment.number, at);

/**
 * Whether an object is nothing new, as it is served already, or was only moved; then the one that is served is told
 * where it lies now.
 */
function isKnown(
  object: PackedObject,
  { from }: ReportedLocation,
  served: ConfigurationObject | undefined,
  isShared: (segment: Segment) => boolean,
): boolean {
  const isToldBefore = served instanceof PackedObject && isShared(served.location.segment);
  const servedAt = isToldBefore ? keyOfLocation(served.location) : undefined;
  if (from === undefined) return servedAt === keyOfLocation(object.location);
  if (isToldBefore && servedAt === from) served.moveTo(object.location);
  return true;
}

/** Reads what another thread tells of its objects, time after time. */
export function createLocationReader() {
  const forms: Form[] = [];
  let segments = new Map<number, Segment>();
  /** Takes over the memory that is told of. What is known of it already stays as it is; what is gone is forgotten. */
  const takeOver = (told: ObjectLocations) => {
    for (const form of told.forms) forms[form.number] ??= formFromShared(form);
    const before = segments;
    segments = new Map();
    for (const { number, memory } of told.segments) {
      const segment = before.get(number) ?? (memory && segmentOn(number, memory));
      if (segment) segments.set(number, segment);
    }
    const shared = new Set([...before.values(), ...segments.values()]);
    return (segment: Segment) => shared.has(segment);
  };
  /** The object of a place; undefined where its segment is gone: then it was replaced meanwhile. */
  const objectAt = ({ segment: number, at }: ReportedLocation): PackedObject | undefined => {
    const segment = segments.get(number);
    const form = segment && forms[formNumberAt({ segment, at })];
    return segment && form && new PackedObject(form, { segment, at });
  };
  return {
    /** What it knows without being told again. */
    known: () => ({ forms: forms.length, segments: [...segments.keys()] }),
    /**
     * The objects that have come or changed. Those that were moved are told where they lie now, as `servedAs` finds
     * them: the object of that entity and ID that is served.
     */
    *read(told: ObjectLocations, servedAs: ServedAs): CooperativeTask<ConfigurationObject[]> {
      const isShared = takeOver(told);
      const came = new Map<string, ConfigurationObject>();
      let read = 0;
      for (const place of placesAfter(told.entries)) {
        const object = objectAt(place);
        if (object && !isKnown(object, place, servedAs(object), isShared)) {
          came.set(`${object.entity}:${object.id}`, object);
        }
        read += 1;
        if (read % objectsPerPiece === 0) yield;
      }
      return [...came.values()];
    },
  };
}
