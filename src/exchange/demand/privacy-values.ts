import type { PrivacyValues } from '../../protocols/openrtb/macros.ts';
import type { VastMacroValues } from '../../protocols/vast/fill-macros.ts';
import type { PrivacyMacro } from '../../reference/privacy-macros.ts';
import type { Opportunity, Privacy } from '../opportunity.ts';

/** Whatever is asked for an auction. */
interface Asked {
  readonly opportunity: Pick<Opportunity, 'privacy'>;
}

/** All that privacy strings are made of: harmless in URLs and markup. */
const token = /^[\w.~,-]{0,4096}$/;
const textOf = (text: string) => (token.test(text) ? text : '');
const bitOf = (bit: 0 | 1 | undefined) => bit?.toString() ?? '';

const macro =
  (read: (privacy: Privacy) => string) =>
  ({ opportunity: { privacy } }: Asked): string =>
    privacy ? read(privacy) : '';

/** In braces. `""` if not given, too long, or with characters that no such value has. */
export const privacyUrlMacros: Readonly<Record<PrivacyMacro, (asked: Asked) => string>> = {
  gdpr: macro(({ gdpr }) => bitOf(gdpr)),
  gdpr_consent: macro(({ consent }) => textOf(consent)),
  us_privacy: macro(({ usPrivacy }) => textOf(usPrivacy)),
  gpp: macro(({ gpp }) => textOf(gpp)),
  gpp_sid: macro(({ gppSid }) => textOf(gppSid.join(','))),
  coppa: macro(({ coppa }) => bitOf(coppa)),
  lmt: macro(({ limitAdTracking }) => bitOf(limitAdTracking)),
  gpc: macro(({ hasGpc }) => (hasGpc ? '1' : '')),
};

/** As `${GDPR}`. */
export const privacyMacroValues = (asked: Asked): PrivacyValues => ({
  GDPR: privacyUrlMacros.gdpr(asked),
  GDPR_CONSENT: privacyUrlMacros.gdpr_consent(asked),
  US_PRIVACY: privacyUrlMacros.us_privacy(asked),
  GPP_STRING: privacyUrlMacros.gpp(asked),
  GPP_SID: privacyUrlMacros.gpp_sid(asked),
});

const regulations = ['coppa', 'gdpr'] as const;

/** As `[GDPRCONSENT]`. */
export const vastMacroValues = (asked: Asked): VastMacroValues => ({
  REGULATIONS: regulations.filter((name) => privacyUrlMacros[name](asked) === '1').join(','),
  GDPRCONSENT: privacyUrlMacros.gdpr_consent(asked),
  GPPSTRING: privacyUrlMacros.gpp(asked),
  GPPSECTIONID: privacyUrlMacros.gpp_sid(asked),
  LIMITADTRACKING: privacyUrlMacros.lmt(asked),
});
