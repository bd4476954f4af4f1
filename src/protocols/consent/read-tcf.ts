import { numberAt, sextetBits, textLengthMax } from './bits.ts';
import { readRestrictions } from './restrictions.ts';
import { purposesMax, specialFeaturesMax, type TcfString } from './tcf-string.ts';
import { fibonacciRanges, fixedRanges, rangeSets, type SetReader, vendorSets } from './vendor-set.ts';

const segments = /^[\w-]+(?:\.[\w-]+)*$/;
const segmentTypeWidth = 3;
const disclosedVendors = 1;
const versionWidth = 6;
const decisecondMs = 100;
const letterA = 65;

const versionOf = (text: string) => numberAt(text, 0, versionWidth);
const isUsable = (text: string, version: number) =>
  text.length <= textLengthMax && versionOf(text) === version && segments.test(text);

/** The segments after the first come in any order; of other segments nothing is asked. */
function splitSegments(text: string) {
  const [core = '', ...others] = text.split('.');
  const disclosed = others.findLast((segment) => numberAt(segment, 0, segmentTypeWidth) === disclosedVendors);
  return { core, disclosed };
}

interface Coding {
  readonly readVendors: SetReader;
  readonly readRestricted: SetReader;
}
const fixed: Coding = { readVendors: vendorSets(fixedRanges), readRestricted: rangeSets(fixedRanges) };
const fibonacci: Coding = {
  readVendors: vendorSets(fibonacciRanges),
  readRestricted: vendorSets(fibonacciRanges),
};

/** The vendors at a place and what follows; undefined if the text ends before that. */
function readAnswers(text: string, at: number, { readVendors, readRestricted }: Coding) {
  const { core, disclosed } = splitSegments(text);
  const bits = core.length * sextetBits;
  const consents = readVendors(core, at, bits);
  if (consents === undefined) return undefined;
  const interests = readVendors(core, consents.end, bits);
  if (interests === undefined) return undefined;
  const restrictions = readRestrictions(core, interests.end, bits, readRestricted);
  if (restrictions === undefined) return undefined;
  const shown =
    disclosed === undefined
      ? undefined
      : readVendors(disclosed, segmentTypeWidth, disclosed.length * sextetBits);
  if (disclosed !== undefined && shown === undefined) return undefined;
  return {
    end: restrictions.end,
    answers: {
      hasVendorConsent: consents.has,
      hasVendorLegitimateInterest: interests.has,
      isVendorDisclosed: shown?.has,
      restrictionCount: restrictions.count,
      restrictionOf: restrictions.of,
    },
  };
}

/** What is at the same place in the strings of the EU and of Canada, and what follows at a place. */
const readFixedMembers = (text: string, specialFeaturesAt: number) => ({
  createdMs: numberAt(text, 6, 36) * decisecondMs,
  lastUpdatedMs: numberAt(text, 42, 36) * decisecondMs,
  cmpId: numberAt(text, 78, 12),
  cmpVersion: numberAt(text, 90, 12),
  vendorListVersion: numberAt(text, 120, 12),
  policyVersion: numberAt(text, 132, 6),
  specialFeatures: numberAt(text, specialFeaturesAt, specialFeaturesMax),
  purposeConsents: numberAt(text, specialFeaturesAt + specialFeaturesMax, purposesMax),
  purposeLegitimateInterests: numberAt(
    text,
    specialFeaturesAt + specialFeaturesMax + purposesMax,
    purposesMax,
  ),
});

const letterAt = (text: string, at: number) => String.fromCharCode(letterA + numberAt(text, at, sextetBits));

/** TCF 2.0 to 2.3 of IAB Europe. Undefined if the text is no such string, or not a whole one. */
export function readTcf(text: string): TcfString | undefined {
  const reading = isUsable(text, 2) ? readAnswers(text, 213, fixed) : undefined;
  return (
    reading && {
      framework: 'eu',
      ...readFixedMembers(text, 140),
      isServiceSpecific: numberAt(text, 138, 1) === 1,
      hasPurposeOneTreatment: numberAt(text, 200, 1) === 1,
      publisherCountry: letterAt(text, 201) + letterAt(text, 207),
      ...reading.answers,
    }
  );
}

/** Encoders fill the last characters with fewer zeros. */
const paddingMax = 24;
function endsAt(text: string, end: number): boolean {
  const padding = splitSegments(text).core.length * sextetBits - end;
  return padding < paddingMax && numberAt(text, end, padding) === 0;
}

/**
 * TCF Canada 1, section 5 of GPP. Up to version 3.1, IAB's encoder wrote ranges of fixed numbers, and nothing in a
 * string tells which: right is the reading that ends where the string does.
 */
export function readTcfCanada(text: string): TcfString | undefined {
  if (!isUsable(text, 1)) return undefined;
  for (const coding of [fibonacci, fixed]) {
    const reading = readAnswers(text, 199, coding);
    if (reading === undefined || !endsAt(text, reading.end)) continue;
    return {
      framework: 'canada',
      ...readFixedMembers(text, 139),
      isServiceSpecific: true,
      hasPurposeOneTreatment: false,
      publisherCountry: '',
      ...reading.answers,
    };
  }
  return undefined;
}
