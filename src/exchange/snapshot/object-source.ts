import type { ConfigurationFeed, ConfigurationObject } from '../configuration.ts';
import { runInSlices } from '../cooperative-task.ts';
import {
  createLocationReader,
  createObjectLog,
  type KnownObjects,
  type ObjectLocations,
  type ServedAs,
} from './object-locations.ts';
import { createObjectPacker } from './object-packer.ts';
import { type ObjectsAtRevision, readChangedObjects } from './read-changed-objects.ts';
import { createServedRevision } from './served.ts';
import type { ThreadSharing } from './sharing.ts';

export interface PackedChanges extends ObjectsAtRevision {
  readonly objects: readonly ConfigurationObject[];
  serve(): Promise<void>;
}

interface Question {
  readonly known: KnownObjects;
  readonly revision: number;
}

const topic = 'objects';
/** Less than an asking thread waits. */
const answerWaitMsMax = 1500;
const sliceMs = 2;
const nowMs = () => performance.now();

/**
 * The first thread reads the feed, the others its packed memory, so that all share one copy. Without an answer a thread
 * reads the feed itself.
 */
export function createObjectSource(feed: ConfigurationFeed, sharing: ThreadSharing) {
  const packing = createObjectPacker();
  const log = createObjectLog(packing);
  const served = createServedRevision(log.revision);
  const locations = createLocationReader();
  let after: number | undefined;

  const compact = async () => {
    const moved = await runInSlices(packing.compact(), sliceMs, nowMs);
    if (sharing.leads) log.noteMoved(moved);
  };
  const fromFeed = async (afterRevision: number | undefined): Promise<PackedChanges> => {
    const { objects: came, revision } = await readChangedObjects(feed, afterRevision, packing.pack);
    const objects = [...came];
    return {
      objects,
      revision,
      async serve() {
        packing.serve(objects);
        if (sharing.leads) log.noteAdded(objects, revision);
        served.tell();
        await compact();
      },
    };
  };
  const fromFirstThread = async (
    revision: number,
    servedAs: ServedAs,
  ): Promise<PackedChanges | undefined> => {
    const question: Question = { known: { ...locations.known(), after }, revision };
    const answer = (await sharing.ask(topic, question)) as ObjectLocations | undefined;
    if (answer === undefined || answer.revision < revision) return undefined;
    const objects = await runInSlices(locations.read(answer, servedAs), sliceMs, nowMs);
    return {
      objects,
      revision: answer.revision,
      async serve() {
        after = answer.number;
        packing.serve(objects);
        await compact();
      },
    };
  };
  if (sharing.leads)
    sharing.answer(topic, async (question) => {
      const { known, revision } = question as Question;
      return (await served.until(revision, answerWaitMsMax)) ? log.since(known) : undefined;
    });
  return {
    /** Objects changed after a revision (all if undefined), as of `upTo` or later. Rejects if the feed fails. */
    async since(afterRevision: number | undefined, upTo: number, servedAs: ServedAs): Promise<PackedChanges> {
      // Drops what was read but failed before it was served.
      await compact();
      const shared = sharing.leads ? undefined : await fromFirstThread(upTo, servedAs);
      return shared ?? (await fromFeed(afterRevision));
    },
    close: served.close,
  };
}
