import { BroadcastChannel } from 'node:worker_threads';

/** News, and questions with answers, to all other threads. */
export interface ThreadChannel {
  publish(topic: string, value: unknown): void;
  subscribe(topic: string, listener: (value: unknown) => void): void;
  /** Leaves out answers that take more than two seconds. */
  request(topic: string, value?: unknown): Promise<readonly unknown[]>;
  /** Of one thread; undefined without an answer in time, or without such a thread. */
  requestOf(thread: number, topic: string, value?: unknown): Promise<unknown>;
  respond(topic: string, answer: (value: unknown) => Promise<unknown>): void;
  close(): void;
}

/** One of a process's threads; the first, 0, works for all. */
export interface NumberedThread {
  readonly number: number;
  readonly channel: ThreadChannel;
}

interface Message {
  readonly kind: 'news' | 'question' | 'answer';
  readonly topic: string;
  readonly id: string;
  readonly from: number;
  /** Absent = all others. */
  readonly to?: number | undefined;
  readonly value?: unknown;
}

const answerWaitMsMax = 2000;

interface PendingRequest {
  readonly answers: unknown[];
  readonly unanswered: Set<number>;
  readonly done: () => void;
}

function createRequests(post: (message: Omit<Message, 'from'>) => void, others: () => readonly number[]) {
  const open = new Map<string, PendingRequest>();
  return {
    ask(topic: string, value?: unknown, to?: number): Promise<readonly unknown[]> {
      const id = crypto.randomUUID();
      const answers: unknown[] = [];
      const unanswered = new Set(others().filter((thread) => to === undefined || thread === to));
      if (unanswered.size === 0) return Promise.resolve(answers);
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          open.delete(id);
          resolve(answers);
        };
        const timer = setTimeout(done, answerWaitMsMax);
        open.set(id, { answers, unanswered, done });
        post({ kind: 'question', topic, id, to, value });
      });
    },
    answered({ id, from, value }: Message): void {
      const asking = open.get(id);
      if (!asking) return;
      asking.answers.push(value);
      asking.unanswered.delete(from);
      if (!others().some((thread) => asking.unanswered.has(thread))) asking.done();
    },
  };
}

/** Requests go to those in `readyThreads`. */
export function joinThreadChannel(
  name: string,
  thread: number,
  readyThreads: () => readonly number[],
): ThreadChannel {
  const channel = new BroadcastChannel(name);
  const post = (message: Omit<Message, 'from'>) =>
    channel.postMessage({ ...message, from: thread } satisfies Message);
  const questions = createRequests(post, () => readyThreads().filter((other) => other !== thread));
  const listeners = new Map<string, (value: unknown) => void>();
  const answerers = new Map<string, (value: unknown) => Promise<unknown>>();
  const reply = async ({ topic, id, to = thread, value }: Message) => {
    const answer = to === thread ? answerers.get(topic) : undefined;
    // A thread that is still starting has nothing to tell.
    if (answer && readyThreads().includes(thread))
      post({ kind: 'answer', topic, id, value: await answer(value) });
  };
  const receive = {
    news: ({ topic, value }: Message) => listeners.get(topic)?.(value),
    question: (message: Message) => void reply(message).catch(() => undefined),
    answer: questions.answered,
  };
  channel.onmessage = ({ data }: { data: Message }) => receive[data.kind](data);
  channel.unref();
  return {
    publish: (topic, value) => post({ kind: 'news', topic, id: '', value }),
    subscribe: (topic, listener) => void listeners.set(topic, listener),
    request: (topic, value) => questions.ask(topic, value),
    requestOf: async (other, topic, value) => (await questions.ask(topic, value, other))[0],
    respond: (topic, answer) => void answerers.set(topic, answer),
    close: () => channel.close(),
  };
}
