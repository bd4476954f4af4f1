import type { Sharing } from '../exchange/snapshot/sharing.ts';
import type { ThreadGroup } from './thread-group.ts';

/** How this thread shares the configuration with the others of its process: they ask the first. */
export function shareConfiguration({ number, peers }: Pick<ThreadGroup, 'number' | 'peers'>): Sharing {
  const leads = number === 0;
  const named = (topic: string) => `configuration: ${topic}`;
  const unknown = async () => undefined;
  return {
    leads,
    async ask(topic, question) {
      // So that a question of another thread is not waited for here.
      peers.respond(named(topic), unknown);
      const answers = await peers.request(named(topic), question);
      return answers.find((answer) => answer !== undefined);
    },
    answer: (topic, reply) => peers.respond(named(topic), reply),
  };
}
