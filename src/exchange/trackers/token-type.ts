/**
 * Whom a token is for: everybody who is shown the markup; the auction holder's notices; a pop feed's click; an offered
 * pop's opening. None opens another's (reference, "Trackers"). Written as its index here.
 */
export const tokenTypes = ['markup', 'notice', 'click', 'open'] as const;

export type TokenType = (typeof tokenTypes)[number];

/** Ads for these, the right to test an object, a partner's tracker listed by a test, and a viewer's matches. */
export const sealTypes = [...tokenTypes, 'test', 'partner', 'matches'] as const;

export type SealType = (typeof sealTypes)[number];
