import { memoizeWeak } from '../memoize-weak.ts';
import type { Device, Software } from '../opportunity.ts';
import type { Reason } from '../reasons.ts';
import { onlyKeys } from './keys.ts';
import type { KeyRule } from './rule.ts';

type Version = { readonly Major: string; readonly Minor?: string };
type Family = { readonly Family: string; readonly Versions?: readonly Version[] };

const none: readonly string[] = [];

/** `""` in a version stands for any (reference, "`Os`, `Browsers`"). */
function versionKey(family: string, { Major, Minor = '' }: Version): string {
  if (Minor !== '') return `${family}/${Major === '' ? '*' : Major}.${Minor}`;
  return Major === '' ? family : `${family}/${Major}`;
}

function wantedKeys({ Family, Versions = [] }: Family): readonly string[] {
  return Versions.length === 0 ? [Family] : Versions.map((version) => versionKey(Family, version));
}

function allKeys({ family, major, minor }: Software): readonly string[] {
  if (family === '') return none;
  if (major === '') return [family];
  if (minor === '') return [family, `${family}/${major}`];
  return [family, `${family}/${major}`, `${family}/${major}.${minor}`, `${family}/*.${minor}`];
}

/** Worked out once: readers return the same object for the same family and version. */
const keysOf = memoizeWeak(allKeys);

/** `*` = any version. */
function partsOf(key: string) {
  const slash = key.lastIndexOf('/');
  if (slash === -1) return { family: key, major: '*', minor: '*' };
  const [major = '*', minor = '*'] = key.slice(slash + 1).split('.');
  return { family: key.slice(0, slash), major, minor };
}

const fits = (one: string, other: string) => one === other || one === '*' || other === '*';

/** Whether both keys name some version. */
function canShare(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a.family === b.family && fits(a.major, b.major) && fits(a.minor, b.minor);
}

/** As `Android/14.1`. */
function mostPreciseKey(software: Software): string | undefined {
  return keysOf(software)[software.minor === '' ? 1 : 2] ?? keysOf(software)[0];
}

/** A family covers all its versions, a major version all its minors. */
export function softwareRule(field: 'Os' | 'Browsers', part: keyof Pick<Device, 'os' | 'browser'>): KeyRule {
  const reason: Reason = field === 'Os' ? 'os_not_targeted' : 'browser_not_targeted';
  return {
    form: 'keys',
    field,
    reason,
    keysOf: ({ device }) => keysOf(device[part]),
    canShare,
    restriction: (object) => onlyKeys((object.settings[field] ?? []).flatMap(wantedKeys)),
    metOf: ({ device }) => mostPreciseKey(device[part]),
  };
}
