import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError } from '../config.ts';
import { sharedStateHash } from '../management/edge/edge-home.ts';
import { programVersion } from '../program-version.ts';
import { createTimedWork, growingMs } from '../shared/timed-work.ts';
import { readAnswer, textParts } from './answer-lines.ts';
import type { AnswerWriter } from './answer-writer.ts';
import type { ConfigurationCopy, HomeState } from './configuration-copy.ts';
import { type HomeClient, HomeRefusal } from './home-client.ts';

export interface FollowerOptions {
  readonly url: string;
  readonly client: Pick<HomeClient, 'changes' | 'text'>;
  readonly kept: Pick<ConfigurationCopy, 'known' | 'sharedState'>;
  readonly keeper: AnswerWriter;
  readonly log: { warn(details: object, text: string): void; info(details: object, text: string): void };
  /** What is wrong with the disk, if the error says so. */
  readonly diskFault: (error: unknown) => string | undefined;
  readonly onNews: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends early on the signal. Tests do not wait. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

export interface Follower {
  close(): Promise<void>;
}

const waitSeconds = 10;
/** How long a start waits for its home if it has an earlier copy. */
const firstAnswerMsMax = 5000;
/** A home that answers at once, as one about to stop, is not asked without a rest. */
const restMs = 50;
const retryMsMin = 1000;
const retryMsMax = 30_000;
const bytesOf = (stream: AsyncIterable<unknown>) => stream as AsyncIterable<Buffer>;

/** In one line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return error.message || code || error.name;
}

/** A program of another version asks for everything, because it may know more of it. */
function requestAfter(homeState: HomeState | undefined, copy: FollowerOptions['kept'], isFirst: boolean) {
  if (!homeState) return {};
  const { home: Home, revision, program } = homeState;
  const Surroundings = sharedStateHash(copy.sharedState());
  if (program !== programVersion()) return { Home, Surroundings };
  return { Home, AfterRevision: revision, Surroundings, ...(!isFirst && { WaitSeconds: waitSeconds }) };
}

function assertContinues(
  homeState: HomeState | undefined,
  { home, revision }: Pick<HomeState, 'home' | 'revision'>,
): void {
  if (homeState && homeState.home !== home)
    throw new HomeRefusal(`this is installation ${home}, but this edge follows ${homeState.home}`);
  if (homeState && revision < homeState.revision)
    throw new HomeRefusal(
      `the home is at revision ${revision}, before ${homeState.revision}, which this edge has: it was restored from a backup`,
    );
}

/** Stores the answer whole or not at all. */
async function askOnce(options: FollowerOptions, isFirst: boolean, signal: AbortSignal): Promise<void> {
  const { client, kept, keeper, now, onNews } = options;
  const before = kept.known();
  keeper.begin();
  let asOfMs = 0;
  const answer = await readAnswer(
    bytesOf(await client.changes(requestAfter(before, kept, isFirst), signal)),
    {
      begin(begin) {
        assertContinues(before, begin);
        asOfMs = now() - begin.ageMs;
      },
      objects: keeper.note,
    },
  );
  for (const text of keeper.missingTexts()) {
    const { entity, id, revision } = text;
    await keeper.keepText(text, textParts(bytesOf(await client.text(entity, id, revision, signal))));
  }
  const { home, revision } = answer.begin;
  const program = programVersion();
  const known = { home, revision, firstRevision: before?.firstRevision ?? revision, asOfMs, program };
  keeper.commit({ ...answer, known });
  if (revision !== before?.revision || answer.end.objects > 0 || answer.begin.surroundings) onNews();
}

/** Logs what is wrong once, and once that it is over. */
function createTrouble({ url, log, diskFault }: FollowerOptions) {
  let told: string | undefined;
  return {
    fails(error: unknown): void {
      const reason = diskFault(error) ?? reasonOf(error);
      if (reason === told) return;
      told = reason;
      const isRefused = error instanceof HomeRefusal;
      const what = isRefused ? 'the home refuses this edge' : 'the home cannot be reached or read';
      log.warn({ home: url, reason }, `${what}; this edge continues with what it has`);
    },
    works(): void {
      if (told !== undefined) log.info({ home: url }, 'the home is read again');
      told = undefined;
    },
  };
}

function startFault(url: string, { message, setting }: HomeRefusal): ConfigurationError {
  const remedy = setting
    ? ''
    : '; to follow it from the beginning, stop this edge, make sure that what waits in BOURSE_OUTBOX is sent, and delete the contents of BOURSE_EDGE_FOLDER';
  return new ConfigurationError(`${setting ?? '--edge'}: ${url}: ${message}${remedy}`);
}

const defaultWait = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal, ref: false });
const retryMs = growingMs(retryMsMin, retryMsMax);

/**
 * Resolves once a copy is there: an earlier one if the home is slow. Rejects with a `ConfigurationError` if the home
 * refuses, or with the signal's reason. Later faults are only logged.
 */
export async function followHome(options: FollowerOptions): Promise<Follower> {
  const { url, kept, log, wait = defaultWait, signal } = options;
  const closing = new AbortController();
  const ending = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  const trouble = createTrouble(options);
  let failures = 0;
  const attempt = async (isFirst: boolean) => {
    try {
      await askOnce(options, isFirst, ending);
      failures = 0;
      trouble.works();
    } catch (error) {
      ending.throwIfAborted();
      failures += 1;
      throw error;
    }
  };
  const following = createTimedWork(restMs, () => attempt(false), {
    closeMsMax: Number.POSITIVE_INFINITY,
    retryMs,
    onFailure: trouble.fails,
    wait,
  });
  const startOnce = () =>
    attempt(true).catch((error: unknown) => {
      ending.throwIfAborted();
      if (error instanceof HomeRefusal) throw startFault(url, error);
      if (kept.known()) trouble.fails(error);
      else if (failures === 1)
        log.warn(
          { home: url, reason: reasonOf(error) },
          'the home is unavailable; this edge waits for it before it starts',
        );
    });
  const first = startOnce();
  if (kept.known() && kept.known()?.program === programVersion()) {
    await Promise.race([first, wait(firstAnswerMsMax, closing.signal).catch(() => undefined)]);
  } else {
    await first;
    while (!kept.known()) {
      await wait(retryMs(failures), ending).catch(() => undefined);
      ending.throwIfAborted();
      await startOnce();
    }
  }
  const started = first
    .catch(trouble.fails)
    .then(() => following.start(failures > 0 ? retryMs(failures) : restMs));
  return {
    async close() {
      closing.abort();
      await Promise.all([started, following.close()]);
    },
  };
}
