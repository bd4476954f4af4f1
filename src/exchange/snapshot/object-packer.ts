import type { ConfigurationObject } from '../configuration.ts';
import type { CooperativeTask } from '../cooperative-task.ts';
import { createForms } from './forms.ts';
import { PackedObject, packObject } from './packed-object.ts';
import { createSegments, type Location, type Segment } from './segments.ts';

export interface MovedObject {
  readonly object: PackedObject;
  readonly from: Location;
}

/** Bytes of a segment that are written, and those of objects that are served. */
interface SegmentUse {
  written: number;
  served: number;
}

/** Objects of some KB fit in a thousand times. */
const usualSegmentBytes = 4 * 1024 * 1024;
const objectsPerPiece = 50;
const looksPerPiece = 5000;

/** Objects by entity and ID. */
function createDirectory() {
  const byEntity = new Map<string, Map<number, PackedObject>>();
  return {
    get: (entity: string, id: number) => byEntity.get(entity)?.get(id),
    set(object: PackedObject) {
      const byId = byEntity.get(object.entity) ?? new Map<number, PackedObject>();
      byEntity.set(object.entity, byId.set(object.id, object));
    },
    *all() {
      for (const byId of byEntity.values()) yield* byId.values();
    },
    remove: (entity: string, id: number) => void byEntity.get(entity)?.delete(id),
  };
}

/** Room for objects in segments, and how much of it is in use. */
function createRooms(segmentBytes: number) {
  const segments = createSegments(segmentBytes);
  const uses = new Map<Segment, SegmentUse>();
  return {
    take(bytes: number): Location {
      const location = segments.take(bytes);
      const use = uses.get(location.segment) ?? { written: 0, served: 0 };
      use.written += bytes;
      uses.set(location.segment, use);
      return location;
    },
    /** Whether an object lies in one of these segments. */
    has: (object: PackedObject) => uses.has(object.location.segment),
    /** To be told that an object is served, or no longer (-1). */
    serve(object: PackedObject, by: 1 | -1): void {
      const use = uses.get(object.location.segment);
      if (use) use.served += by * object.bytes;
    },
    /** Segments that are less than half in use. */
    sparse: () =>
      [...uses].flatMap(([segment, { written, served }]) =>
        !segments.isOpen(segment) && served * 2 < written ? [segment] : [],
      ),
    drop: (segment: Segment) => void uses.delete(segment),
    segments: () => [...uses.keys()],
  };
}

/**
 * Keeps objects as bytes in segments. What nobody serves any more leaves gaps: a segment that is less than half in use
 * is emptied, its objects are moved to others, so that all take twice their own bytes at most.
 */
export function createObjectPacker(segmentBytes = usualSegmentBytes) {
  const forms = createForms();
  const rooms = createRooms(segmentBytes);
  const directory = createDirectory();
  function* servedIn(segment: Segment): CooperativeTask<PackedObject[]> {
    const found: PackedObject[] = [];
    let seen = 0;
    for (const object of directory.all()) {
      if (object.isIn(segment)) found.push(object);
      seen += 1;
      if (seen % looksPerPiece === 0) yield;
    }
    return found;
  }

  function* emptied(segment: Segment): CooperativeTask<MovedObject[]> {
    const moved: MovedObject[] = [];
    for (const object of yield* servedIn(segment)) {
      const from = object.location;
      const { bytes } = object;
      const to = rooms.take(bytes);
      segment.bytes.copy(to.segment.bytes, to.at, from.at, from.at + bytes);
      object.moveTo(to);
      rooms.serve(object, 1);
      moved.push({ object, from });
      if (moved.length % objectsPerPiece === 0) yield;
    }
    rooms.drop(segment);
    return moved;
  }
  return {
    forms: forms.all,
    /** Packs objects that come together. They take room, but are not served before `serve`. */
    pack: (objects: readonly ConfigurationObject[]): PackedObject[] =>
      objects.map((object) => packObject(object, forms.of(object, objects), rooms.take)),
    /**
     * To be told which objects are served from now on, in place of those with the same IDs. Objects that lie in other
     * memory than this may be among them.
     */
    serve(objects: Iterable<ConfigurationObject>): void {
      for (const object of objects) {
        const before = directory.get(object.entity, object.id);
        if (before === object) continue;
        if (before) rooms.serve(before, -1);
        if (object instanceof PackedObject && rooms.has(object)) {
          rooms.serve(object, 1);
          directory.set(object);
        } else directory.remove(object.entity, object.id);
      }
    },
    /** Moves objects out of segments that are less than half in use, and answers which. */
    *compact(): CooperativeTask<MovedObject[]> {
      const moved: MovedObject[] = [];
      for (const segment of rooms.sparse()) moved.push(...(yield* emptied(segment)));
      return moved;
    },
    served: () => directory.all(),
    segments: rooms.segments,
  };
}

/** Keeps objects as bytes. */
export type ObjectPacker = ReturnType<typeof createObjectPacker>;
