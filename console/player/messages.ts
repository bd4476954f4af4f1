/** What the console gives its player to show. */
export interface ShowAd {
  readonly kind: 'show';
  readonly medium: 'vast' | 'html';
  readonly markup: string;
}

/** What the player tells the console: an event of the ad with the trackers that a player would have fired, or its state. */
export type PlayerNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'event'; readonly event: string; readonly urls: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string };
