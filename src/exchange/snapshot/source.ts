import type { ConfigurationFeed, ConfigurationObject } from '../configuration.ts';
import { inSlices } from '../pieces.ts';
import { type Gathered, gather } from './gather.ts';
import { createPacking } from './packing.ts';
import { createServed } from './served.ts';
import type { Sharing } from './sharing.ts';
import {
  createObjectLog,
  createToldReader,
  type KnownObjects,
  type ServedAs,
  type ToldObjects,
} from './told-objects.ts';

/** Changed objects, as bytes. */
export interface Came extends Gathered {
  readonly objects: readonly ConfigurationObject[];
  /** To be called once they are served. */
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
 * Where the objects of a thread come from: the first thread reads them from the feed, the others from the memory in
 * which that has packed them, so that all threads keep them once. A thread that gets no answer reads the feed itself.
 */
export function createSource(feed: ConfigurationFeed, sharing: Sharing) {
  const packing = createPacking();
  const log = createObjectLog(packing);
  const served = createServed(log.revision);
  const told = createToldReader();
  let after: number | undefined;

  const compact = async () => {
    const moved = await inSlices(packing.compact(), sliceMs, nowMs);
    if (sharing.leads) log.noteMoved(moved);
  };
  const fromFeed = async (afterRevision: number | undefined): Promise<Came> => {
    const { objects: came, revision } = await gather(feed, afterRevision, packing.pack);
    const objects = [...came];
    return {
      ...{ objects, revision },
      async serve() {
        packing.serve(objects);
        if (sharing.leads) log.noteCame(objects, revision);
        served.tell();
        await compact();
      },
    };
  };
  const fromFirstThread = async (revision: number, servedAs: ServedAs): Promise<Came | undefined> => {
    const question: Question = { known: { ...told.known(), after }, revision };
    const answer = (await sharing.ask(topic, question)) as ToldObjects | undefined;
    if (answer === undefined || answer.revision < revision) return undefined;
    const objects = await inSlices(told.read(answer, servedAs), sliceMs, nowMs);
    return {
      ...{ objects, revision: answer.revision },
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
    /**
     * The objects that changed after a revision, all where none is given, as they are at `upTo` or later. Rejects when
     * the feed fails.
     */
    async since(afterRevision: number | undefined, upTo: number, servedAs: ServedAs): Promise<Came> {
      // What was read in vain, as something failed before it was served.
      await compact();
      const shared = sharing.leads ? undefined : await fromFirstThread(upTo, servedAs);
      return shared ?? (await fromFeed(afterRevision));
    },
    close: served.close,
  };
}
