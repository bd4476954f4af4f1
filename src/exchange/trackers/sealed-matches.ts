import { type Matches, matchesInText, matchesText, noMatches } from '../viewer-matches.ts';
import { type TokenSealer, UnreadableToken } from './token-sealer.ts';

/** Where others keep a user's ID, they take a few thousand characters. */
const tokenCharactersMax = 1500;
/** What a token adds to its text, and base64 to both. */
const overheadBytes = 40;
const textCharactersMax = (tokenCharactersMax / 4) * 3 - overheadBytes;

export interface MatchSealer {
  /** A token of at most 1,500 characters for whoever keeps it with them; it tells them nothing. `""` without matches. */
  seal(matches: Matches, nowMs: number): string;
  /** Undefined for anything else, and for what was sealed over 30 days ago. */
  open(token: string, nowMs: number): Matches | undefined;
}

export function createMatchSealer(sealing: TokenSealer): MatchSealer {
  return {
    seal(matches, nowMs) {
      const text = matchesText(matches, textCharactersMax);
      return text === '' ? '' : sealing.seal('matches', nowMs, (to) => to.text(text));
    },
    open(token, nowMs) {
      if (token.length > tokenCharactersMax) return undefined;
      try {
        const matches = sealing.open('matches', token, nowMs, (from) => matchesInText(from.text(), nowMs));
        return matches === noMatches ? undefined : matches;
      } catch (error) {
        if (error instanceof UnreadableToken) return undefined;
        throw error;
      }
    },
  };
}
