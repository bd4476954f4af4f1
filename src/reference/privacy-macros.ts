/** Privacy signals in braces in the URLs of demand and of third-party measurement. */
export const privacyMacros = {
  gdpr: '1 if GDPR applies, 0 if not',
  gdpr_consent: 'TCF consent string',
  us_privacy: 'US Privacy string',
  gpp: 'GPP string',
  gpp_sid: 'GPP sections that apply, separated by commas',
  coppa: '1 if COPPA applies, 0 if not',
  lmt: '1 if tracking is limited, 0 if not',
  gpc: '1 with Global Privacy Control',
} as const;

export type PrivacyMacro = keyof typeof privacyMacros;

export const privacyMacroNames = Object.keys(privacyMacros) as readonly PrivacyMacro[];
