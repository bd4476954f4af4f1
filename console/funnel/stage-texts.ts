import type { Funnel, LossStage, Step } from './funnel.ts';

/** What each bar is called, and what it counts. */
export const stepTexts: Readonly<Record<string, { readonly title: string; readonly help: string }>> = {
  Requests: { title: 'Requests', help: 'that the supply object accepted' },
  Offered: { title: 'Offered to demand', help: 'each auction, to each connected demand object' },
  Calls: { title: 'Called', help: 'demand that was called for a bid; campaigns bid without a call' },
  Answers: { title: 'Answered', help: 'in time, with or without a bid' },
  Bids: { title: 'Bids', help: 'one answer can have several' },
  Wins: { title: 'Won', help: 'their ad went out' },
  Impressions: { title: 'Shown', help: 'the player or page reported it' },
};

/** What is offered where the funnel is of one demand object. */
export const offeredToOne = 'auctions in which it was connected';

/** What became of those that went no further. */
export const stageTexts: Readonly<Record<LossStage, string>> = {
  requests: 'ended before any demand was called',
  rules: 'refused by a rule',
  notCalled: 'not called: the partner is paused, or has too many calls under way',
  timeouts: 'did not answer in time',
  errors: 'failed, or could not be read',
  noBids: 'had no bid',
  bids: 'refused by a rule, or outbid',
};

/** Why what a bar and its losses come to is not what the next bar has; "" where it is. */
export function gapText({ key, gap }: Step): string {
  const isMore = gap > 0;
  const texts: Readonly<Record<string, readonly [more: string, fewer: string]>> = {
    Calls: [
      'more answers than calls minus the reasons shown next to them: the two are written a few seconds apart, and a faulty answer may have several bids, each refused separately',
      'fewer answers: the reasons are written a few seconds after the calls',
    ],
    Answers: [
      'more bids than answers: an answer may have several',
      'answers without a bid whose reason is counted with the rules or the bids, for example if a partner names our own reasons, or a campaign has an unsuitable kind of ad',
    ],
    Bids: [
      'more refusals than bids that did not win: a limit refuses calls and bids under the same name, and an answer without a bid also has a reason',
      'bids that are ranked behind a winner (Waterfall), or that are offered in an auction elsewhere whose outcome we do not know yet',
    ],
    Wins: [
      'more were shown than won: ads that were won before this time, or elsewhere',
      'not shown, or not yet: players report it up to an hour later; some ads are never played',
    ],
  };
  return gap === 0 ? '' : (texts[key]?.[isMore ? 0 : 1] ?? '');
}

/** What stands below the requests of a supply object. */
export function requestsNote({ opportunities, notTaken, steps: [first] }: Funnel): string {
  const requests = first?.count ?? 0;
  const number = (value: number) => value.toLocaleString('en');
  return [
    ...(opportunities === requests
      ? []
      : [`They offered ${number(opportunities)} impressions, each in its own auction.`]),
    ...(notTaken === 0
      ? []
      : [`${number(notTaken)} more exceeded a limit of the supply object, and are not counted as requests.`]),
  ].join(' ');
}
