import { BroadcastChannel } from 'node:worker_threads';

/** What a thread says to all the others, and asks of them. */
export interface Peers {
  tell(topic: string, value: unknown): void;
  on(topic: string, listener: (value: unknown) => void): void;
  /** What the others answer to a question about a value; those that take too long are left out. */
  ask(topic: string, value?: unknown): Promise<readonly unknown[]>;
  onAsk(topic: string, answer: (value: unknown) => Promise<unknown>): void;
  close(): void;
}

/** A message on the channel. `id` joins a question with its answers. */
interface Message {
  readonly kind: 'news' | 'question' | 'answer';
  readonly topic: string;
  readonly id: string;
  readonly value?: unknown;
}

const answerWaitMsMax = 2000;

/** One who waits for so many answers. */
interface Asking {
  readonly answers: unknown[];
  readonly done: () => void;
}

function sayOn(channel: BroadcastChannel, message: Message): void {
  channel.postMessage(message);
}

/** Answers to questions, collected until there are `expected()` of them or too much time has passed. */
function createQuestions(channel: BroadcastChannel, expected: () => number) {
  const open = new Map<string, Asking>();
  return {
    ask(topic: string, value?: unknown): Promise<readonly unknown[]> {
      const id = crypto.randomUUID();
      const answers: unknown[] = [];
      if (expected() === 0) return Promise.resolve(answers);
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          open.delete(id);
          resolve(answers);
        };
        const timer = setTimeout(done, answerWaitMsMax);
        open.set(id, { answers, done });
        sayOn(channel, { kind: 'question', topic, id, value });
      });
    },
    answered({ id, value }: Message): void {
      const asking = open.get(id);
      asking?.answers.push(value);
      if (asking && asking.answers.length >= expected()) asking.done();
    },
  };
}

/**
 * Joins the threads that talk on a channel of this name; `others` tells how many they are, `isThere` whether this one is
 * among those whom others count.
 */
export function joinPeers(name: string, others: () => number, isThere: () => boolean): Peers {
  const channel = new BroadcastChannel(name);
  const questions = createQuestions(channel, others);
  const listeners = new Map<string, (value: unknown) => void>();
  const answerers = new Map<string, (value: unknown) => Promise<unknown>>();
  const reply = async ({ topic, id, value }: Message) => {
    const answer = answerers.get(topic);
    // A thread that has only begun to start must not stand for one that is counted.
    if (answer && isThere()) sayOn(channel, { kind: 'answer', topic, id, value: await answer(value) });
  };
  const receive = {
    news: ({ topic, value }: Message) => listeners.get(topic)?.(value),
    question: (message: Message) => void reply(message).catch(() => undefined),
    answer: questions.answered,
  };
  channel.onmessage = ({ data }: { data: Message }) => receive[data.kind](data);
  channel.unref();
  return {
    tell: (topic, value) => sayOn(channel, { kind: 'news', topic, id: '', value }),
    on: (topic, listener) => void listeners.set(topic, listener),
    ask: questions.ask,
    onAsk: (topic, answer) => void answerers.set(topic, answer),
    close: () => channel.close(),
  };
}
