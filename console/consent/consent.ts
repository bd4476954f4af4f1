import type { ApiRequest } from '../api/call.ts';

/** As a person has pasted them. */
export interface PastedStrings {
  readonly consent: string;
  readonly gpp: string;
  /** Numbers, with commas or spaces between them. */
  readonly sections: string;
  readonly usPrivacy: string;
}

export const nothingPasted: PastedStrings = { consent: '', gpp: '', sections: '', usPrivacy: '' };

/** What is no number the server refuses. */
const sectionsIn = (text: string) =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => (/^-?\d+$/.test(part) ? Number(part) : part));

export function consentRequest({ consent, gpp, sections, usPrivacy }: PastedStrings) {
  const GppSid = sectionsIn(sections);
  const strings = { Consent: consent.trim(), Gpp: gpp.trim(), UsPrivacy: usPrivacy.trim() };
  const sent = Object.entries(strings).filter(([, text]) => text !== '');
  return {
    path: 'api/exchange/consent',
    body: { ...Object.fromEntries(sent), ...(GppSid.length > 0 && { GppSid }) },
  } satisfies ApiRequest;
}
