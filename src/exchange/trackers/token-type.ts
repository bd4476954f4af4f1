/**
 * Whom a token is for, with what it opens: the markup's trackers, seen by everybody who is shown the ad; the notices of
 * whoever holds the auction that the ad is offered in; a pop feed's click; the opening of an offered pop. None opens
 * what another does (reference, "Trackers"). A type is written as its place in this list.
 */
export const tokenTypes = ['markup', 'notice', 'click', 'open'] as const;

export type TokenType = (typeof tokenTypes)[number];

/**
 * Everything that is sealed in tokens: ads for these, the right to test an object, and a partner's tracker that a test
 * has listed.
 */
export const sealTypes = [...tokenTypes, 'test', 'partner'] as const;

export type SealType = (typeof sealTypes)[number];
