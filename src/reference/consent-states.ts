/** How much of what a viewer is asked for is permitted, as reports tell it; lightest first, with names for people. */
export const consentStates = {
  not_required: 'None required',
  given: 'Given',
  partial: 'Partial',
  refused: 'Refused',
  unreadable: 'Unreadable',
} as const;

export type ConsentState = keyof typeof consentStates;

export const consentStateNames = Object.keys(consentStates) as readonly ConsentState[];

/** What each means. */
export const consentStateHelp: Readonly<Record<ConsentState, string>> = {
  not_required: 'Nothing is asked of the viewer',
  given: 'All purposes are consented to',
  partial: 'Some purposes are permitted',
  refused: 'No purpose is permitted, or the viewer opted out',
  unreadable: 'A string that counts cannot be read',
};
