import type { ConfigurationObject } from '../configuration.ts';
import type { CooperativeTask } from '../cooperative-task.ts';
import { type Form, formFromShared, type SharedForm, sharedForm } from './forms.ts';
import type { MovedObject, ObjectPacker } from './object-packer.ts';
import { formNumberAt, PackedObject } from './packed-object.ts';
import { type Location, type Segment, segmentOn } from './segments.ts';

/** Number of the segment and position in it, alternating. */
type Locations = Int32Array<SharedArrayBuffer>;

interface Entry {
  readonly number: number;
  readonly added: Locations;
  /** Old and new location, alternating. */
  readonly moved: Locations;
}

/** What a thread sends another: where its objects lie in memory that both have. */
export interface ObjectLocations {
  readonly revision: number;
  readonly number: number;
  readonly entries: readonly Entry[];
  /** Those new to the other thread. */
  readonly forms: readonly SharedForm[];
  /** All segments, with the memory of those new to the other thread. */
  readonly segments: readonly (Pick<Segment, 'number'> & Partial<Pick<Segment, 'memory'>>)[];
}

export interface KnownObjects {
  /** Number of the last entry that it has served; undefined = none. */
  readonly after: number | undefined;
  readonly forms: number;
  readonly segments: readonly number[];
}

/** A thread further behind is sent all objects. */
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

/** Records what becomes of packed objects, for other threads. */
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
    noteAdded(objects: readonly ConfigurationObject[], at: number): void {
      const packed = objects.filter((object) => object instanceof PackedObject);
      if (packed.length > 0) add(locationsOf(packed.map(({ location }) => location)), none);
      revision = at;
    },
    noteMoved(moved: readonly MovedObject[]): void {
      if (moved.length > 0)
        add(none, locationsOf(moved.flatMap(({ from, object }) => [from, object.location])));
    },
    /** What has happened since; all objects for a thread that knows none or is too far behind. */
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

export type ServedAs = (
  object: Pick<ConfigurationObject, 'entity' | 'id'>,
) => ConfigurationObject | undefined;

interface ReportedLocation {
  readonly segment: number;
  readonly at: number;
  /** Key of the location from which a known object was moved. */
  readonly from: string | undefined;
}

const locationKey = (segment: number, at: number) => `${segment}:${at}`;

/** Of objects that were added and not moved since. */
function* placesOf(entries: readonly Entry[]): Generator<ReportedLocation> {
  for (const { added } of entries) {
    for (let place = 0; place < added.length; place += 2) {
      yield { segment: added[place] as number, at: added[place + 1] as number, from: undefined };
    }
  }
}

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

/** Whether an object is already served, or was only moved; a moved one then gets its new location. */
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

export function createLocationReader() {
  const forms: Form[] = [];
  let segments = new Map<number, Segment>();
  /** Takes over memory; what is known stays, what is gone is forgotten. */
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
  /** Undefined if its segment is gone: then it was replaced meanwhile. */
  const objectAt = ({ segment: number, at }: ReportedLocation): PackedObject | undefined => {
    const segment = segments.get(number);
    const form = segment && forms[formNumberAt({ segment, at })];
    return segment && form && new PackedObject(form, { segment, at });
  };
  return {
    /** What need not be sent again. */
    known: () => ({ forms: forms.length, segments: [...segments.keys()] }),
    /** Objects added or changed. Moved ones, found by `servedAs`, get their new location. */
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
