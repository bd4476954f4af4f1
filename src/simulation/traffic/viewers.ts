import { type Random, weightedChoice } from '../random.ts';

/** A bot pretends to be another kind. */
export type DeviceKind = 'phone' | 'tablet' | 'desktop' | 'tv' | 'bot';

export interface Viewer {
  readonly kind: DeviceKind;
  readonly ip: string;
  readonly userAgent: string;
  readonly language: string;
  /** Pixels of its player. */
  readonly width: number;
  readonly height: number;
}

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = 'Chrome/142.0.0.0';

const phone = { kind: 'phone', width: 390, height: 219 } as const;
const tablet = { kind: 'tablet', width: 820, height: 461 } as const;
const desktop = { kind: 'desktop', width: 640, height: 360 } as const;
const tv = { kind: 'tv', width: 1920, height: 1080 } as const;
const bot = { ...desktop, kind: 'bot' } as const;

interface Network {
  readonly weight: number;
  readonly prefix: readonly [number, number];
  readonly language: string;
}

const devices: readonly (Omit<Viewer, 'ip' | 'language'> & { readonly weight: number })[] = [
  {
    weight: 24,
    ...phone,
    userAgent: `${mozilla} (Linux; Android 10; K) ${webkit} ${chrome} Mobile Safari/537.36`,
  },
  {
    weight: 20,
    ...phone,
    userAgent: `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
  },
  {
    weight: 4,
    ...tablet,
    userAgent: `${mozilla} (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
  },
  {
    weight: 3,
    ...tablet,
    userAgent: `${mozilla} (Linux; Android 14; SM-X210) ${webkit} ${chrome} Safari/537.36`,
  },
  {
    weight: 20,
    ...desktop,
    userAgent: `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} ${chrome} Safari/537.36`,
  },
  {
    weight: 4,
    ...desktop,
    userAgent: `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} ${chrome} Safari/537.36 Edg/142.0.0.0`,
  },
  {
    weight: 5,
    ...desktop,
    userAgent: `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
  },
  {
    weight: 4,
    ...desktop,
    userAgent: `${mozilla} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`,
  },
  {
    weight: 6,
    ...tv,
    userAgent: `${mozilla} (SMART-TV; LINUX; Tizen 7.0) ${webkit} Version/7.0 TV Safari/537.36`,
  },
  {
    weight: 4,
    ...tv,
    userAgent: `${mozilla} (Web0S; Linux/SmartTV) ${webkit} Chrome/108.0.5359.211 Safari/537.36 WebAppManager`,
  },
  {
    weight: 3,
    ...tv,
    userAgent: `${mozilla} (Linux; Android 11; BRAVIA 4K VH2) ${webkit} ${chrome} Safari/537.36`,
  },
  { weight: 1, ...tv, userAgent: 'Roku/DVP-14.5 (14.5.4.5934-46)' },
  {
    weight: 1.5,
    ...bot,
    userAgent: `${mozilla} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  },
  { weight: 0.5, ...bot, userAgent: 'python-requests/2.32.5' },
];

/** Of large access providers, with the local language: the first bytes of their addresses. */
const networks: readonly Network[] = [
  { weight: 30, prefix: [84, 140], language: 'de-DE' },
  { weight: 8, prefix: [84, 115], language: 'de-AT' },
  { weight: 22, prefix: [73, 50], language: 'en-US' },
  { weight: 12, prefix: [86, 140], language: 'en-GB' },
  { weight: 14, prefix: [177, 32], language: 'pt-BR' },
  { weight: 8, prefix: [81, 227], language: 'sv-SE' },
  { weight: 6, prefix: [84, 210], language: 'nb-NO' },
];

const ipV6Share = 0.25;

const below = (most: number, random: Random) => Math.floor(random() * most);

/** A quarter are IPv6, where every household has its own /64. */
function addressIn(prefix: readonly number[], random: Random): string {
  const [high, low] = [below(256, random), 1 + below(254, random)];
  if (random() >= ipV6Share) return [...prefix, high, low].join('.');
  const [net = 0, part = 0] = prefix;
  const groups = [0x2a02, net * 256 + part, high * 256 + low, below(0x10000, random)];
  return `${groups.map((group) => group.toString(16)).join(':')}::${(1 + below(0xfffe, random)).toString(16)}`;
}

function newViewer(kinds: ReadonlySet<DeviceKind>, random: Random): Viewer {
  const { prefix, language } = weightedChoice(networks, random);
  const fitting = devices.filter(({ kind }) => kinds.has(kind));
  const { kind, userAgent, width, height } = weightedChoice(fitting, random);
  return { kind, ip: addressIn(prefix, random), userAgent, language, width, height };
}

const viewersMax = 20_000;
const returnShare = 0.6;

/** On a device of one of these kinds, at least one. */
export type Audience = (kinds: ReadonlySet<DeviceKind>) => Viewer;

/** Some viewers come back. */
export function createAudience(random: Random): Audience {
  const known: Viewer[] = [];
  return (kinds) => {
    const returning = random() < returnShare ? known[below(known.length, random)] : undefined;
    if (returning && kinds.has(returning.kind)) return returning;
    const viewer = newViewer(kinds, random);
    if (known.length < viewersMax) known.push(viewer);
    else known[below(viewersMax, random)] = viewer;
    return viewer;
  };
}
