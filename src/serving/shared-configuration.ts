import type { ThreadSharing } from '../exchange/snapshot/sharing.ts';
import type { ThreadGroup } from './thread-group.ts';

/** The others ask the first thread. */
export function shareConfiguration({
  number,
  channel,
}: Pick<ThreadGroup, 'number' | 'channel'>): ThreadSharing {
  const named = (topic: string) => `configuration: ${topic}`;
  return {
    leads: number === 0,
    ask: (topic, question) => channel.requestOf(0, named(topic), question),
    answer: (topic, reply) => channel.respond(named(topic), reply),
  };
}
