import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../fields/fault.ts';
import { announcedBytes, bytesMaxOf } from '../input/bodies.ts';
import type { BodyBudget } from './body-budget.ts';

export interface BodyQueue {
  /** Resolves with what to call at the end. Refuses with `unavailable` if too many wait, and after 30 seconds. */
  acquire(teamId: number, bytes: number): Promise<Release>;
}

/** Only the first call has an effect. */
type Release = () => void;

/** Smaller bodies are read at once. */
const freeBytesMax = 64 * 1024;
/** Below the minute after which a connection without progress is cut. */
const waitMsMax = 30_000;
/** Other threads may have made room. */
const lookEveryMs = 50;
const waitingMax = { all: 256, team: 64 } as const;
const retryAfterSeconds = 10;

interface Waiting {
  readonly teamId: number;
  readonly bytes: number;
  readonly admit: () => void;
}

function noRoom(): Refusal {
  const text = 'The server is busy with too many large bodies; send them one at a time and try again';
  return new Refusal('unavailable', text, { retryAfterSeconds });
}

/** First come, first served, but nobody waits behind a team that has too much in work. */
export function createBodyQueue(budget: BodyBudget): BodyQueue {
  const waiting = new Set<Waiting>();
  let looking: NodeJS.Timeout | undefined;

  const look = () => {
    const fullTeams = new Set<number>();
    for (const one of waiting) {
      if (fullTeams.has(one.teamId)) continue;
      const found = budget.take(one.teamId, one.bytes);
      if (found === 'all') break;
      if (found === 'team') fullTeams.add(one.teamId);
      else one.admit();
    }
    if (waiting.size > 0) looking ??= setInterval(look, lookEveryMs);
    else if (looking !== undefined) {
      clearInterval(looking);
      looking = undefined;
    }
  };
  const releaser = (teamId: number, bytes: number): Release => {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      budget.release(teamId, bytes);
      look();
    };
  };
  return {
    acquire(teamId, bytes) {
      const ofTeam = [...waiting].filter((one) => one.teamId === teamId);
      if (waiting.size >= waitingMax.all || ofTeam.length >= waitingMax.team) return Promise.reject(noRoom());
      const { promise, resolve, reject } = Promise.withResolvers<Release>();
      const end = () => {
        clearTimeout(timer);
        waiting.delete(one);
      };
      const admit = () => {
        end();
        resolve(releaser(teamId, bytes));
      };
      const one = { teamId, bytes, admit };
      const timer = setTimeout(() => {
        end();
        reject(noRoom());
      }, waitMsMax);
      waiting.add(one);
      look();
      return promise;
    },
  };
}

/** Over 64 KiB they wait, and keep their room until answered or broken off (reference, O22). */
export function limitBodies(app: FastifyInstance, queue: BodyQueue): void {
  app.decorateRequest('leaveGate', undefined);
  app.addHook('preParsing', (request, reply, _body, done) => {
    const max = bytesMaxOf(request);
    const bytes = announcedBytes(request) ?? (request.headers['transfer-encoding'] === undefined ? 0 : max);
    // What is too large for its route is refused before it is read.
    if (bytes <= freeBytesMax || bytes > max) return done();
    queue.acquire(request.bearer?.teamId ?? 0, bytes).then((leave) => {
      request.releaseBody = leave;
      reply.raw.once('close', () => {
        if (!request.raw.complete) leave();
      });
      done();
    }, done);
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.releaseBody?.();
    done();
  });
}
