import { parse } from 'bowser';
import { isbot } from 'isbot';
import { ownMember } from '../../reference/own-member.ts';
import { isBrowserFamily, isOsFamily } from '../../reference/user-agent-families.ts';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { InvalidAgent, Software } from '../opportunity.ts';
import { isImpossibleAgent } from './impossible-agent.ts';

export interface UserAgent {
  readonly os: Software;
  readonly browser: Software;
  /** AdCOM device types; empty = unknown. */
  readonly types: readonly number[];
  readonly make: string;
  readonly model: string;
  readonly invalid: InvalidAgent | undefined;
}

export type UserAgentReader = (text: string) => UserAgent;

export const unknownSoftware: Software = { family: '', major: '', minor: '' };

const unknownAgent: UserAgent = {
  os: unknownSoftware,
  browser: unknownSoftware,
  types: [],
  make: '',
  model: '',
  invalid: undefined,
};

/** Bowser's platforms as AdCOM 1.0 "Device Types": phones and tablets are "Mobile/Tablet" as well. */
const typesByPlatform: Readonly<Record<string, readonly number[]>> = {
  mobile: [1, 4],
  tablet: [1, 5],
  desktop: [2],
  tv: [3],
};

/** No real user agent is longer, and a hostile one must not cost more. */
const charactersMax = 1024;

const recentSoftware = createRecentCache<string, Software>(4096);

/** The same object while it is cached, because targeting caches its keys by it. */
export function softwareOf(family: string, version: string): Software {
  const [, major = '', minor = ''] = /(\d{1,6})(?:[._](\d{1,6}))?/.exec(version) ?? [];
  const name = `${family}/${major}.${minor}`;
  return recentSoftware.getOrMake(name, () => ({ family, major, minor }));
}

/** As people know it: for Windows by bowser's name ("NT 6.1": 7). */
function osVersion({ version = '', versionName = '' }: { version?: string; versionName?: string }): string {
  return !/^\d/.test(version) && /^\d/.test(versionName) ? versionName : version;
}

function invalidAgent(text: string): InvalidAgent | undefined {
  if (isbot(text)) return 'known_bot';
  return isImpossibleAgent(text) ? 'impossible_agent' : undefined;
}

function read(text: string): UserAgent {
  const { browser, os, platform } = parse(text);
  const browserName = browser.name ?? '';
  const osName = os.name ?? '';
  return {
    os: isOsFamily(osName) ? softwareOf(osName, osVersion(os)) : unknownSoftware,
    browser: isBrowserFamily(browserName) ? softwareOf(browserName, browser.version ?? '') : unknownSoftware,
    types: ownMember(typesByPlatform, platform.type ?? '') ?? [],
    make: platform.vendor ?? '',
    model: platform.model ?? '',
    invalid: invalidAgent(text),
  };
}

/** Caches texts, because parsing takes tens of microseconds. Families outside targeting's catalogues are unknown. */
export function createUserAgentReader(agentsMax = 20_000): UserAgentReader {
  const recent = createRecentCache<string, UserAgent>(agentsMax);
  return (text) => {
    if (text === '') return unknownAgent;
    const known = recent.get(text);
    if (known !== undefined) return known;
    // A copy: a slice would keep the whole request's text in memory.
    const copy = Buffer.from(text.slice(0, charactersMax)).toString();
    const agent = read(copy);
    if (text.length <= charactersMax) recent.set(copy, agent);
    return agent;
  };
}
