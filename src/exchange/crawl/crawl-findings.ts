import { createRecentCache } from '../reading/recent-cache.ts';

/**
 * What was found out about a subject. `yes`: the site or app is there, or the file lists the seller; `no`: it is not,
 * or does not; `missing`: there is no file that could say.
 */
export type Finding = 'yes' | 'no' | 'missing';

/** What can be found out, and of what: see `crawler.ts`. */
export const subjectKinds = ['site', 'app', 'ads.txt', 'app-ads.txt', 'sellers.json'] as const;

export type SubjectKind = (typeof subjectKinds)[number];

/** A kind and what it is about, separated by tabs. Threads send it to each other, and findings are kept under it. */
export type Subject = `${SubjectKind}\t${string}`;

export const subjectKindOf = (subject: Subject) => subject.slice(0, subject.indexOf('\t')) as SubjectKind;

export interface CrawlResult {
  readonly subject: Subject;
  /** Undefined where it could not be found out this time; what was known before then stays. */
  readonly finding: Finding | undefined;
  /** After how long it may be asked for again. */
  readonly forMs: number;
}

/** What is known of others' publications. Auctions ask this, and never wait for it. */
export interface CrawlFindings {
  /**
   * The finding; undefined until it is known. Asking for it also requests a crawl where one is due. A finding that is
   * out of date stays valid until there is news.
   */
  find(kind: SubjectKind, ...about: readonly string[]): Finding | undefined;
  /** Our own advertising system, as supply chains name it. */
  readonly ownSystem: () => string;
}

interface KnownFinding {
  readonly finding: Finding | undefined;
  readonly askAgainAtMs: number;
}

const subjectsMax = 100_000;
const charactersMax = 2048;
/** How long to wait for news before a subject is asked for again. */
const newsWaitMs = 120_000;

/** What a thread knows. `ask` requests a crawl of a subject; `now` is in milliseconds. */
export function createCrawlFindings(options: {
  readonly ask: (subject: Subject) => void;
  readonly now: () => number;
  readonly ownSystem: () => string;
}): CrawlFindings & { learn(news: CrawlResult): void } {
  const { ask, now, ownSystem } = options;
  const known = createRecentCache<Subject, KnownFinding>(subjectsMax);
  return {
    ownSystem,
    find(kind, ...about) {
      const subject: Subject = `${kind}\t${about.join('\t')}`;
      // Nobody publishes under such a name.
      if (subject.length > charactersMax || about.some((part) => part.includes('\t'))) return 'no';
      const found = known.get(subject);
      const timeMs = now();
      if (found === undefined || found.askAgainAtMs <= timeMs) {
        known.set(subject, { finding: found?.finding, askAgainAtMs: timeMs + newsWaitMs });
        ask(subject);
      }
      return found?.finding;
    },
    learn({ subject, finding = known.get(subject)?.finding, forMs }) {
      known.set(subject, { finding, askAgainAtMs: now() + forMs });
    },
  };
}
