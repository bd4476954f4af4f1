import type { ThreadSharing } from '../exchange/snapshot/sharing.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';

/** The others ask the first thread. */
export function shareConfiguration({ number, channel }: NumberedThread): ThreadSharing {
  const named = (topic: string) => `configuration: ${topic}`;
  return {
    leads: number === 0,
    ask: (topic, question) => channel.requestOf(0, named(topic), question),
    answer: (topic, reply) => channel.respond(named(topic), reply),
  };
}
