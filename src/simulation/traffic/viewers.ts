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
  readonly ipV4: readonly [number, number];
  readonly ipV6: readonly [number, number];
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

/** Of large access providers, with the local language: how their addresses begin (two bytes, two groups). */
const networks: readonly Network[] = [
  { weight: 30, ipV4: [84, 140], ipV6: [0x2003, 0xc0], language: 'de-DE' },
  { weight: 8, ipV4: [84, 115], ipV6: [0x2a02, 0x8388], language: 'de-AT' },
  { weight: 22, ipV4: [73, 50], ipV6: [0x2601, 0x40], language: 'en-US' },
  { weight: 12, ipV4: [86, 140], ipV6: [0x2a00, 0x23c4], language: 'en-GB' },
  { weight: 14, ipV4: [177, 32], ipV6: [0x2804, 0x431], language: 'pt-BR' },
  { weight: 8, ipV4: [81, 227], ipV6: [0x2001, 0x2040], language: 'sv-SE' },
  { weight: 6, ipV4: [84, 210], ipV6: [0x2a02, 0x2121], language: 'nb-NO' },
];

const ipV6Share = 0.25;

const below = (most: number, random: Random) => Math.floor(random() * most);

/** A quarter are IPv6, where every household has its own /64. */
function addressIn({ ipV4, ipV6 }: Network, random: Random): string {
  const [high, low] = [below(256, random), 1 + below(254, random)];
  if (random() >= ipV6Share) return [...ipV4, high, low].join('.');
  const groups = [...ipV6, high * 256 + low, below(0x10000, random)];
  return `${groups.map((group) => group.toString(16)).join(':')}::${(1 + below(0xfffe, random)).toString(16)}`;
}

function newViewer(kinds: ReadonlySet<DeviceKind>, random: Random): Viewer {
  const network = weightedChoice(networks, random);
  const fitting = devices.filter(({ kind }) => kinds.has(kind));
  const { kind, userAgent, width, height } = weightedChoice(fitting, random);
  const { language } = network;
  return { kind, ip: addressIn(network, random), userAgent, language, width, height };
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
