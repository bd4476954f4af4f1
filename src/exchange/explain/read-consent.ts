import type { ConsentReading, ReadSignal, SentConsent } from '../../answers/consent-reading.ts';
import { type GppSection, readGpp, readGppSections } from '../../protocols/consent/read-gpp.ts';
import { readTcf } from '../../protocols/consent/read-tcf.ts';
import { readUsPrivacy } from '../../protocols/consent/read-us-privacy.ts';
import {
  purposeBit,
  purposesMax,
  specialFeatureBit,
  specialFeaturesMax,
  type TcfString,
} from '../../protocols/consent/tcf-string.ts';
import { gppSections } from '../../reference/gpp-sections.ts';
import { activitiesIn, allActivities } from '../consent/masks.ts';
import { noPrivacy } from '../consent/privacy-signals.ts';
import type { ConsentReader } from '../consent/viewer-consent.ts';
import type { Privacy } from '../opportunity.ts';
import type { ConsentSettings } from '../team.ts';
import type { VendorLists } from '../vendor-lists.ts';
import { shownWithholdings } from './explanation.ts';

interface ReadingServices {
  readonly consent: ConsentReader;
  readonly lists: Pick<VendorLists, 'of'>;
}

const flagOf = (is: boolean) => (is ? 1 : 0) as 0 | 1;
const idsIn = (mask: number, idsMax: number, bitOf: (id: number) => number) =>
  Array.from({ length: idsMax }, (_, at) => at + 1).filter((id) => (mask & bitOf(id)) !== 0);
const purposesIn = (mask: number) => idsIn(mask, purposesMax, purposeBit);

const shownTcf = (tcf: TcfString, lists: ReadingServices['lists']): ReadSignal['Tcf'] => ({
  PolicyVersion: tcf.policyVersion,
  VendorListVersion: tcf.vendorListVersion,
  IsVendorListKnown: flagOf(tcf.framework === 'eu' && lists.of(tcf.vendorListVersion) !== undefined),
  CreatedMs: tcf.createdMs,
  UpdatedMs: tcf.lastUpdatedMs,
  CmpId: tcf.cmpId,
  CmpVersion: tcf.cmpVersion,
  PublisherCountry: tcf.publisherCountry,
  HasPurposeOneTreatment: flagOf(tcf.hasPurposeOneTreatment),
  PurposeConsents: purposesIn(tcf.purposeConsents),
  PurposeLegitimateInterests: purposesIn(tcf.purposeLegitimateInterests),
  SpecialFeatures: idsIn(tcf.specialFeatures, specialFeaturesMax, specialFeatureBit),
  PublisherRestrictions: tcf.restrictionCount,
  HasDisclosedVendors: flagOf(tcf.isVendorDisclosed !== undefined),
});

/** As `gpp_sid` says it. */
const unreadableId = [0];

type Content = Pick<ReadSignal, 'Fault' | 'Tcf' | 'Choices'>;
const nothing: Content = { Fault: '', Tcf: null, Choices: null };
const broken: Content = { ...nothing, Fault: 'broken' };

function contentOf(section: GppSection, lists: ReadingServices['lists']): Content {
  if (section.kind === 'unreadable') return { ...nothing, Fault: section.fault };
  if (section.kind === 'tcf') return { ...nothing, Tcf: shownTcf(section.tcf, lists) };
  const { optOuts, hasKnownChild, hasGpc } = section.choices;
  const Choices = { OptOuts: optOuts, IsKnownChild: flagOf(hasKnownChild), HasGpc: flagOf(hasGpc) };
  return { ...nothing, Choices };
}

function gppSignals(gpp: string, gppSid: readonly number[], lists: ReadingServices['lists']): ReadSignal[] {
  const sections = readGppSections(gpp, gppSid);
  if (sections === undefined) return [{ Source: 'Gpp', Section: 0, Name: 'GPP', ...broken }];
  return sections.map((section) => ({
    Source: 'Gpp',
    Section: section.id,
    Name: gppSections.get(section.id) ?? '',
    ...contentOf(section, lists),
  }));
}

function consentSignal(consent: string, lists: ReadingServices['lists']): ReadSignal {
  const tcf = readTcf(consent);
  const content = tcf ? { ...nothing, Tcf: shownTcf(tcf, lists) } : broken;
  return { Source: 'Consent', Section: 0, Name: 'TCF EU', ...content };
}

function usPrivacySignal(usPrivacy: string): ReadSignal {
  const read = readUsPrivacy(usPrivacy);
  const OptOuts: ('sale' | 'sharing')[] = read?.optsOut ? ['sale'] : [];
  const content = read ? { ...nothing, Choices: { OptOuts, IsKnownChild: 0, HasGpc: 0 } } : broken;
  return { Source: 'UsPrivacy', Section: 0, Name: 'US Privacy', ...content };
}

/** What strings say, and what they permit these vendors, as an auction takes them. */
export function readConsent(
  { consent, gpp, gppSid, usPrivacy }: SentConsent,
  vendors: readonly number[],
  settings: ConsentSettings,
  services: ReadingServices,
): ConsentReading {
  const { lists } = services;
  const sectionIds = gpp === '' ? [] : (gppSid ?? [...(readGpp(gpp)?.keys() ?? unreadableId)]);
  const privacy: Privacy = {
    ...noPrivacy,
    gdpr: consent === '' ? undefined : 1,
    consent,
    usPrivacy,
    gpp,
    gppSid: sectionIds,
  };
  const viewer = services.consent.of({ privacy, country: '' }, settings, false);
  return {
    State: viewer.state,
    Signals: [
      ...(consent === '' ? [] : [consentSignal(consent, lists)]),
      ...(gpp === '' ? [] : gppSignals(gpp, sectionIds, lists)),
      ...(usPrivacy === '' ? [] : [usPrivacySignal(usPrivacy)]),
    ],
    Vendors: vendors.map((GvlId) => ({
      GvlId,
      Permitted: activitiesIn(allActivities & ~viewer.withheldFrom(GvlId)),
      Withheld: shownWithholdings(viewer, GvlId),
    })),
  };
}
