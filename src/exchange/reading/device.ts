import { isBrowserFamily, operatingSystems } from '../../reference/user-agent-families.ts';
import type { Device, Software } from '../opportunity.ts';
import { softwareOf, type UserAgent, unknownSoftware } from './user-agent.ts';

/** OpenRTB 2.6 §3.2.30, BrandVersion. */
export interface BrandVersion {
  readonly brand: string;
  readonly version?: readonly string[];
}

/** Client hints (OpenRTB 2.6 §3.2.29, UserAgent). */
export interface StructuredUserAgent {
  readonly browsers?: readonly BrandVersion[];
  readonly platform?: BrandVersion;
  /** 0 = prefers desktop content, 1 = mobile. */
  readonly mobile?: number;
  readonly model?: string;
}

/** `""` and 0 = not given. */
export interface DeclaredDevice {
  readonly os: string;
  readonly osVersion: string;
  /** AdCOM device type. */
  readonly type: number;
  readonly make: string;
  readonly model: string;
  readonly language: string;
  readonly ifa: string;
  readonly structured?: StructuredUserAgent | undefined;
}

/** Other names for operating systems, in lower case. */
const osAliases: Readonly<Record<string, string>> = {
  'mac os x': 'macOS',
  'mac os': 'macOS',
  'os x': 'macOS',
  osx: 'macOS',
  ipados: 'iOS',
  'iphone os': 'iOS',
  chromeos: 'Chrome OS',
  'chromium os': 'Chrome OS',
  'roku os': 'Roku',
  rokuos: 'Roku',
  'web os': 'WebOS',
  'fire os': 'Android',
  fireos: 'Android',
  'android tv': 'Android',
  androidtv: 'Android',
  macosx: 'macOS',
};

const osFamilies = new Map([
  ...operatingSystems.map(({ Family }) => [Family.toLowerCase(), Family] as const),
  ...Object.entries(osAliases),
]);

/** Client hint brands that the catalogue names differently. */
const browserBrands: ReadonlyMap<string, string> = new Map([
  ['Google Chrome', 'Chrome'],
  ['Samsung Internet', 'Samsung Internet for Android'],
  ['YaBrowser', 'Yandex Browser'],
  ['Yandex', 'Yandex Browser'],
  ['Whale', 'NAVER Whale Browser'],
  ['Android WebView', 'Android Browser'],
]);

/** By AdCOM code: phones (4) and tablets (5) are "Mobile/Tablet" (1) as well. */
const typesByCode: readonly (readonly number[])[] = [[], [1], [2], [3], [1, 4], [1, 5], [6], [7], [8]];

/** As in `Windows 10`. Some families, as `PlayStation 4`, end in a number of their own. */
const namedVersion = /\s(\d[\d._]{0,15})$/;

const noOs = { family: '', version: '' } as const;

/** By any of its names; `""` if unknown. */
function namedOs(name: string): { readonly family: string; readonly version: string } {
  if (name === '') return noOs;
  const lowerCase = name.trim().toLowerCase();
  const known = osFamilies.get(lowerCase);
  if (known !== undefined) return { family: known, version: '' };
  const [ending = '', version = ''] = namedVersion.exec(lowerCase) ?? [];
  const family = osFamilies.get(lowerCase.slice(0, lowerCase.length - ending.length).trimEnd()) ?? '';
  return { family, version: family === '' ? '' : version };
}

function versionText(version: readonly string[] | undefined): string {
  return (version ?? []).join('.');
}

/** Windows by API version in client hints: from 13 on Windows 11, 1 to 12 Windows 10, 0 some older one. */
function windowsVersion(version: string): string {
  const major = Number.parseInt(version, 10);
  if (!(major > 0)) return '';
  return major >= 13 ? '11' : '10';
}

function hintedOs(platform: BrandVersion | undefined): Software {
  const { family } = namedOs(platform?.brand ?? '');
  const version = versionText(platform?.version);
  return family === ''
    ? unknownSoftware
    : softwareOf(family, family === 'Windows' ? windowsVersion(version) : version);
}

/** Declared values win over client hints, those over the user agent. Versions count only for the family they name. */
function osOf(agent: UserAgent, declared: DeclaredDevice): Software {
  const hinted = hintedOs(declared.structured?.platform);
  const named = namedOs(declared.os);
  const family = named.family || hinted.family || agent.os.family;
  if (family === '') return unknownSoftware;
  const declaredVersion = declared.osVersion || named.version;
  if (/\d/.test(declaredVersion)) return softwareOf(family, declaredVersion);
  const known = [hinted, agent.os].find((os) => os.family === family && os.major !== '');
  return known ?? softwareOf(family, '');
}

/** `Chromium` is skipped, because all its derivatives name it too. */
function browserOf(agent: UserAgent, brands: readonly BrandVersion[]): Software {
  const known = brands.flatMap(({ brand, version }) => {
    const family = browserBrands.get(brand) ?? brand;
    return isBrowserFamily(family) && family !== 'Chromium' ? [softwareOf(family, versionText(version))] : [];
  });
  return known[0] ?? agent.browser;
}

/** The declared type wins; a matching user agent makes a mere "Mobile/Tablet" exact. */
function typesOf(agent: UserAgent, { type, structured }: DeclaredDevice): readonly number[] {
  const declared = typesByCode[type] ?? [];
  if (declared.length === 0) return agent.types.length === 0 && structured?.mobile === 1 ? [1] : agent.types;
  return type === 1 && agent.types.includes(1) ? agent.types : declared;
}

/** What the request declares wins over the user agent (reference, "Targeting"). */
export function deviceOf(agent: UserAgent, declared: DeclaredDevice): Device {
  const { structured } = declared;
  return {
    os: osOf(agent, declared),
    browser: structured?.browsers ? browserOf(agent, structured.browsers) : agent.browser,
    types: typesOf(agent, declared),
    declaredType: declared.type,
    declaredOsVersion: declared.osVersion,
    make: declared.make || agent.make,
    model: declared.model || structured?.model || agent.model,
    language: declared.language,
    ifa: declared.ifa,
  };
}
