import { reference } from '../fields/connection.ts';
import { ownerName } from '../fields/derived.ts';
import { forOwner, hiddenInArray, omittedAs, required } from '../fields/field.ts';
import { creativeAttributes, iabCategories, labelsOf } from '../fields/list.ts';
import { choice, cpm, flag, int, percent, usd } from '../fields/number.ts';
import { placed, section } from '../fields/section.ts';
import { currency, domain, lines, text, url } from '../fields/text.ts';
import { adPositions } from '../reference/ad-positions.ts';
import { placements, plcmts } from '../reference/placements.ts';
import type { SettingWarning } from './setting-warning.ts';
import { lineList } from './traffic.ts';

export const publisherOwner = { entity: 'Publisher', field: 'PublisherId' } as const;

/** An `AuctionType` of the demand outranks the supply object's. */
export const neverSecondPrice: SettingWarning = {
  field: 'AuctionType',
  when: ({ AuctionType }) => AuctionType === 2,
  whenConnected: ({ values: { AuctionType } }) => AuctionType === 1,
  message:
    'is 2, but every connected DSP RTB EP has AuctionType 1, which outranks it: no auction clears at a second price; set theirs to 0',
};

export const supply = {
  ...section('General', {
    ...forOwner({
      PublisherId: required(
        reference({
          to: 'Publisher',
          help: 'ID of the owning publisher',
          explanation: 'The publisher that it belongs to',
        }),
      ),
    }),
    PublisherName: ownerName('publisher'),
  }),
  ...section('Price', {
    Currency: currency({ help: 'Currency of its bidfloors; "" = USD. Limits and reports are in USD' }),
    Bidfloor: cpm({ help: 'Lowest bid in CPM, the bidfloor of its auctions' }),
    DspBidfloorMargin: percent({
      max: 1000,
      help: 'Percentage added to the bidfloor that is sent to DSP RTB EPs',
    }),
    PublisherProfitShare: percent({
      help: "Publisher's percentage of the profit, which is the price minus the bidfloor",
    }),
  }),
  Tmax: placed('Calls', int({ unit: 'ms', example: 300, help: 'Milliseconds to wait for demand; 0 = 300' })),
  ...section('Price', {
    AuctionType: omittedAs(
      1,
      choice({ codes: { 1: 'First Price', 2: 'Second Price Plus' }, help: 'How the price is determined' }),
    ),
  }),
  ...forOwner(
    section('Protocol', {
      Secure: flag({ help: '1 = creatives and markup must use HTTPS' }),
    }),
  ),
  ...section(
    'Supply chain',
    {
      SetSchainComplete: flag({ help: '1 = the schain sent to demand is marked as complete' }),
    },
    'advanced',
  ),
  ...forOwner(
    section('Inventory', {
      AdPosition: choice({
        codes: labelsOf(adPositions),
        help: 'Position on screen, a code of /api/info/adpositions',
      }),
    }),
  ),
  ...section('Privacy', {
    ConsentMode: choice({
      codes: {
        0: 'Enforce',
        1: 'Pass on, and let the partner decide',
        2: 'Refuse requests without a readable signal if one is required',
      },
      help: 'What is done with the consent of viewers',
    }),
    SyncDomains: hiddenInArray(
      lines({
        help: 'Domains to which /sync may send viewers with their sealed matches, one per line; subdomains too',
        example: 'prebid.example.com',
      }),
    ),
  }),
  ...section('Protocol', {
    PodSeparation: choice({
      codes: {
        0: 'None',
        1: 'By domain of the advertiser',
        2: 'By IAB category',
        3: 'By both',
      },
      help: 'Which ads do not stand together in a pod',
    }),
  }),
  ...section('Limits', {
    SpentDailyLimit: usd({ unit: 'USD/day', help: 'Maximum spend per day, in USD; 0 = unlimited' }),
  }),
  AdDomainsBrandsBlacklist: lineList.lines('Domains or brand names whose ads are not shown, one per line'),
  AdAppsBlacklist: lineList.lines('Application identifiers whose ads are not shown, one per line'),
  CridListMode: lineList.mode('the creative IDs', 'CridList'),
  CridList: lineList.lines('Creative IDs, one per line'),
  BlockedAdIabCategories: placed(
    'Lists',
    hiddenInArray(iabCategories({ help: 'IAB categories whose ads are not shown' })),
  ),
};

/** About VAST Tags' and Banner EPs' pages and apps. */
export const placement = forOwner(
  section('Inventory', {
    Keywords: text({ help: 'Keywords, separated by commas', max: 8192, example: 'sports,football' }),
    SiteDomain: domain({ help: 'Domain of the site' }),
    AppName: text({ help: 'Name of the app', example: 'Example Game' }),
    AppBundle: text({
      help: 'Identifier of the app: package name on Android, number on iOS',
      example: 'com.example.game',
    }),
    AppStoreUrl: url({ help: "URL of the app's page in its store" }),
  }),
);

export const blockedAttributes = placed(
  'Lists',
  hiddenInArray(creativeAttributes({ help: 'Creative attributes (AdCOM) whose ads are not shown' })),
);

/** Codes that buyers of video ask for. */
export const videoPlacement = {
  Placement: choice({
    codes: labelsOf(placements),
    help: 'Kind of video placement, a code of /api/info/placements',
  }),
  Plcmt: choice({
    codes: labelsOf(plcmts),
    help: 'Kind of video placement by the definitions of 2023 (video.plcmt), which buyers expect along with Placement',
  }),
};
