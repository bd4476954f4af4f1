import type { Sharing } from '../exchange/snapshot/sharing.ts';
import type { ThreadGroup } from './thread-group.ts';

/** How this thread shares the configuration with the others of its process: they ask the first. */
export function shareConfiguration({ number, peers }: Pick<ThreadGroup, 'number' | 'peers'>): Sharing {
  const named = (topic: string) => `configuration: ${topic}`;
  return {
    leads: number === 0,
    ask: (topic, question) => peers.requestOf(0, named(topic), question),
    answer: (topic, reply) => peers.respond(named(topic), reply),
  };
}
