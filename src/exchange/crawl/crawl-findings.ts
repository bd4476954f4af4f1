import { createRecentCache } from '../../shared/recent-cache.ts';

/** `missing`: there is no file that could say. */
export type Finding = 'yes' | 'no' | 'missing';

export const subjectKinds = ['site', 'app', 'ads.txt', 'app-ads.txt', 'sellers.json'] as const;

export type SubjectKind = (typeof subjectKinds)[number];

/** Kind and name, separated by a tab, as threads send it and findings are stored. */
export type Subject = `${SubjectKind}\t${string}`;

export const subjectKindOf = (subject: Subject) => subject.slice(0, subject.indexOf('\t')) as SubjectKind;

/** Who is behind a site or app, by its ads.txt (`ownerdomain`, `managerdomain`). */
export interface Business {
  /** `""` = not named. */
  readonly owner: string;
  /** As `example.com` or, for one country, `example.com, DE`. */
  readonly managers: readonly string[];
}

export interface CrawlResult {
  readonly subject: Subject;
  /** Undefined if this crawl could not tell; the earlier finding stays. */
  readonly finding: Finding | undefined;
  readonly business?: Business | undefined;
  readonly forMs: number;
}

/** What others publish. Auctions ask this and never wait for it. */
export interface CrawlFindings {
  /** Undefined until it is known. Requests a crawl when one is due; an outdated finding stays valid until then. */
  find(kind: SubjectKind, ...about: readonly string[]): Finding | undefined;
  /** By the file that was looked at last; undefined until one was. */
  businessOf(kind: 'ads.txt' | 'app-ads.txt', ...about: readonly string[]): Business | undefined;
  /** Our advertising system's name in supply chains. */
  readonly ownSystem: () => string;
}

interface KnownFinding {
  readonly finding: Finding | undefined;
  readonly business: Business | undefined;
  readonly askAgainAtMs: number;
}

const subjectOf = (kind: SubjectKind, about: readonly string[]): Subject => `${kind}\t${about.join('\t')}`;

const subjectsMax = 100_000;
const charactersMax = 2048;
const newsWaitMs = 120_000;

/** What a thread knows. `ask` requests a crawl; `now` is in milliseconds. */
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
      const subject = subjectOf(kind, about);
      // Nobody publishes under such a name.
      if (subject.length > charactersMax || about.some((part) => part.includes('\t'))) return 'no';
      const found = known.get(subject);
      const timeMs = now();
      if (found === undefined || found.askAgainAtMs <= timeMs) {
        const { finding, business } = found ?? {};
        known.set(subject, { finding, business, askAgainAtMs: timeMs + newsWaitMs });
        ask(subject);
      }
      return found?.finding;
    },
    businessOf: (kind, ...about) => known.get(subjectOf(kind, about))?.business,
    learn({ subject, finding, business, forMs }) {
      const before = finding === undefined ? known.get(subject) : undefined;
      known.set(subject, {
        finding: finding ?? before?.finding,
        business: business ?? before?.business,
        askAgainAtMs: now() + forMs,
      });
    },
  };
}
