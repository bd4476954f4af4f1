import type { ConfigurationObject } from '../configuration.ts';
import type { CooperativeTask } from '../cooperative-task.ts';
import { createForms } from './forms.ts';
import { PackedObject, packObject } from './packed-object.ts';
import { createSegments, type Location, type Segment } from './segments.ts';

export interface MovedObject {
  readonly object: PackedObject;
  readonly from: Location;
}

/** Bytes written, and bytes of objects served. */
interface SegmentUse {
  written: number;
  served: number;
}

/** Objects take some KB, so a thousand fit. */
const usualSegmentBytes = 4 * 1024 * 1024;
const objectsPerPiece = 50;
const looksPerPiece = 5000;

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

/** Locations in segments, and how much of them is in use. */
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
    has: (object: PackedObject) => uses.has(object.location.segment),
    /** Counts an object as served, or no longer (-1). */
    serve(object: PackedObject, by: 1 | -1): void {
      const use = uses.get(object.location.segment);
      if (use) use.served += by * object.bytes;
    },
    /** Less than half in use. */
    sparse: () =>
      [...uses].flatMap(([segment, { written, served }]) =>
        !segments.isOpen(segment) && served * 2 < written ? [segment] : [],
      ),
    drop: (segment: Segment) => void uses.delete(segment),
    segments: () => [...uses.keys()],
  };
}

/** Objects as bytes in segments. One less than half in use is emptied, so that all take at most twice their bytes. */
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
    /** They take room, but are not served before `serve`. */
    pack: (objects: readonly ConfigurationObject[]): PackedObject[] =>
      objects.map((object) => packObject(object, forms.of(object, objects), rooms.take)),
    /** Objects served from now on, replacing those with the same IDs; some may lie in other memory. */
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
    /** Moves objects out of segments that are less than half in use, and returns them. */
    *compact(): CooperativeTask<MovedObject[]> {
      const moved: MovedObject[] = [];
      for (const segment of rooms.sparse()) moved.push(...(yield* emptied(segment)));
      return moved;
    },
    served: () => directory.all(),
    segments: rooms.segments,
  };
}

export type ObjectPacker = ReturnType<typeof createObjectPacker>;
