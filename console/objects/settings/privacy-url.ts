const iab = (name: string) => `\${${name}}`;

/** Parameters of zone and feed URLs, each with the macro of who calls them (VAST's list of macros, TCF, GPP). */
export const privacyCallers = {
  Player: {
    gdpr: '[REGULATIONS]',
    gdpr_consent: '[GDPRCONSENT]',
    gpp: '[GPPSTRING]',
    gpp_sid: '[GPPSECTIONID]',
    coppa: '[REGULATIONS]',
    lmt: '[LIMITADTRACKING]',
  },
  'Google Ad Manager': {
    gdpr: iab('GDPR'),
    gdpr_consent: iab('GDPR_CONSENT_VENDOR'),
    us_privacy: iab('US_PRIVACY'),
    gpp: iab('GPP_STRING_VENDOR'),
    gpp_sid: iab('GPP_SID'),
    coppa: '%%TFCD%%',
  },
  Prebid: {
    gdpr: '{{gdpr}}',
    gdpr_consent: '{{gdpr_consent}}',
    us_privacy: '{{us_privacy}}',
    gpp: '{{gpp}}',
    gpp_sid: '{{gpp_sid}}',
  },
} as const;

export type PrivacyCaller = keyof typeof privacyCallers;

/** `vendor` is the number of whoever receives the call in the Global Vendor List; 0 = not known. */
export function withPrivacy(url: string, caller: PrivacyCaller, vendor: number): string {
  const macros = Object.entries(privacyCallers[caller]).map(([name, macro]) => `&${name}=${macro}`);
  return url + macros.join('').replaceAll('_VENDOR', vendor === 0 ? '' : `_${vendor}`);
}
