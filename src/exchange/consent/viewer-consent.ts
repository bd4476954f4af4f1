import { purposeBit, type TcfString } from '../../protocols/consent/tcf-string.ts';
import { type ConsentState, consentStateNames } from '../../reference/consent-states.ts';
import { tcfPurposes } from '../../reference/tcf-purposes.ts';
import { memoizeWeak } from '../memoize-weak.ts';
import type { Opportunity } from '../opportunity.ts';
import type { ConsentSettings } from '../team.ts';
import type { VendorLists } from '../vendor-lists.ts';
import { allActivities, recognition } from './masks.ts';
import { createSignalsReader, noSignals, type PrivacySignals } from './privacy-signals.ts';
import { type MissingBasis, type VendorConsent, vendorConsent } from './vendor-consent.ts';

/** Why activities, a mask, are withheld from a partner: by signals, or by what its vendor ID lacks. */
export type Withholding =
  | { readonly activities: number; readonly optOuts: readonly string[] }
  | { readonly activities: number; readonly unreadable: readonly string[] }
  | (MissingBasis & { readonly vendor: number; readonly isOwn: boolean });

/** What a viewer permits, as one team enforces it. Vendors are IDs of the Global Vendor List, 0 = none. */
export interface ViewerConsent {
  readonly state: ConsentState;
  /** A mask of activities. */
  withheldFrom(vendor: number): number;
  /** The same from ourselves. */
  withheldHere(): number;
  /** For people. */
  reasonsFor(vendor: number): readonly Withholding[];
}

/** Of a viewer who is asked for nothing. */
export const allPermitted: ViewerConsent = {
  state: 'not_required',
  withheldFrom: () => 0,
  withheldHere: () => 0,
  reasonsFor: () => [],
};

const allPurposes = Object.keys(tcfPurposes).reduce((bits, purpose) => bits | purposeBit(Number(purpose)), 0);

function stateOfString({ purposeConsents, purposeLegitimateInterests }: TcfString): ConsentState {
  const consents = purposeConsents & allPurposes;
  if (consents === allPurposes) return 'given';
  return consents === 0 && (purposeLegitimateInterests & allPurposes) === 0 ? 'refused' : 'partial';
}

function stateOf({ optOuts, unreadable, strings }: PrivacySignals): ConsentState {
  if (unreadable.length > 0) return 'unreadable';
  if (optOuts.length > 0) return 'refused';
  const weights = strings.map((tcf) => consentStateNames.indexOf(stateOfString(tcf)));
  return consentStateNames[Math.max(0, ...weights)] ?? 'unreadable';
}

/** What is withheld from all partners. */
function withheldFromAll({ optOuts, unreadable, lacksConsent }: PrivacySignals): number {
  if (lacksConsent) return allActivities;
  return optOuts.length + unreadable.length > 0 ? recognition : 0;
}

function viewerConsent(
  signals: PrivacySignals,
  vendors: readonly VendorConsent[],
  ownVendor: number,
): ViewerConsent {
  const { optOuts, unreadable, lacksConsent } = signals;
  const withheldBy = (before: number, vendor: number) =>
    vendors.reduce((mask, one) => mask | one.withheldFrom(vendor), before);
  const fromAll = withheldFromAll(signals);
  const fromPartners = ownVendor === 0 ? fromAll : withheldBy(fromAll, ownVendor);
  const asked = (vendor: number) => (ownVendor === 0 ? [vendor] : [ownVendor, vendor]);
  return {
    state: stateOf(signals),
    withheldFrom: (vendor) => withheldBy(fromPartners, vendor),
    withheldHere: () => withheldBy(fromAll, ownVendor),
    reasonsFor: (vendor) => [
      ...(optOuts.length > 0 ? [{ activities: recognition, optOuts }] : []),
      ...(unreadable.length > 0
        ? [{ activities: lacksConsent ? allActivities : recognition, unreadable }]
        : []),
      ...vendors.flatMap((one) =>
        asked(vendor).flatMap((id) =>
          one.missingOf(id).map((missing) => ({ ...missing, vendor: id, isOwn: id !== vendor })),
        ),
      ),
    ],
  };
}

/** How a supply object treats consent (`ConsentMode`). */
export const consentModes = { enforce: 0, passOn: 1, refuse: 2 } as const;

export interface ConsentReader {
  /** `isPassedOn`: the partner decides; what opts out or protects a child counts all the same. */
  of(
    opportunity: Pick<Opportunity, 'privacy' | 'country'>,
    settings: ConsentSettings,
    isPassedOn: boolean,
  ): ViewerConsent;
}

const nobody: ReadonlySet<string> = new Set();

export function createConsentReader(lists: Pick<VendorLists, 'of'>): ConsentReader {
  const signalsOf = createSignalsReader();
  // Weak, so that a string is gone with what the reader remembers of it, and settings once they change.
  const vendorsOf = memoizeWeak((settings: ConsentSettings) =>
    memoizeWeak((tcf: TcfString) => vendorConsent(tcf, settings, lists)),
  );
  return {
    of(opportunity, settings, isPassedOn) {
      const signals = signalsOf(opportunity, isPassedOn ? nobody : settings.gdprCountries);
      if (signals === noSignals) return allPermitted;
      if (isPassedOn) {
        const { optOuts } = signals;
        return { ...viewerConsent({ ...noSignals, optOuts }, [], 0), state: stateOf(signals) };
      }
      return viewerConsent(signals, signals.strings.map(vendorsOf(settings)), settings.gvlId);
    },
  };
}
