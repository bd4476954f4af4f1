import { parentPort, workerData } from 'node:worker_threads';
import { compileExchange } from '../../../src/exchange/compile-exchange.ts';
import type { ConfigurationFeed } from '../../../src/exchange/configuration.ts';
import { createFollower } from '../../../src/exchange/snapshot/follower.ts';
import { shareConfiguration } from '../../../src/serving/shared-configuration.ts';
import { joinThreadGroup, type ThreadGroupMemory } from '../../../src/serving/thread-group.ts';
import { describeSnapshot } from './describe-snapshot.ts';

const { memory, number, idMax } = workerData as {
  readonly memory: ThreadGroupMemory;
  readonly number: number;
  readonly idMax: number;
};
const group = joinThreadGroup(memory, number);
const notHere = () => {
  throw new Error('this thread has to ask the first');
};
/** Tells the revision, and nothing else. */
const feed: ConfigurationFeed = {
  revision: async () => (await group.channel.requestOf(0, 'revision')) as number,
  objects: notHere,
  object: notHere,
  changes: notHere,
  text: notHere,
  onChange: notHere,
};
const follower = createFollower(feed, compileExchange, shareConfiguration(group));
const tell = () => parentPort?.postMessage(describeSnapshot(follower.current(), idMax));

await follower.load();
group.markReady();
tell();
parentPort?.on('message', async () => {
  await follower.catchUp();
  tell();
});
