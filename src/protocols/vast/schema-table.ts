import type { VastVersion } from './vast-version.ts';

/** A value from each named version on. */
export type ByVersion = Readonly<Partial<Record<VastVersion, string>>>;

const resources = 'StaticResource|IFrameResource|HTMLResource';
const anyResources = 'HTMLResource* IFrameResource* StaticResource*';

/**
 * An element's children in the order of the IAB's XSD files, by version. `?` = at most one, `*` = any number, `+` = at
 * least one, `a|b` = one of them. `Wrapper/…`: where wrappers differ. Other elements hold text, or a vendor's own.
 */
export const childrenTable: Readonly<Record<string, ByVersion>> = {
  VAST: { '2.0': 'Ad*' },
  Ad: { '2.0': 'InLine|Wrapper' },
  InLine: {
    '2.0': 'AdSystem AdTitle Description? Survey? Error? Impression+ Creatives Extensions?',
    '3.0':
      'AdSystem AdTitle Description? Advertiser? Pricing? Survey? Error? Impression+ Creatives Extensions?',
    // No measurement SDK reads the `AdVerifications` of 4.0: they want an extension (CTV Addendum).
    '4.0':
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdTitle Advertiser? Category* Creatives Description? Survey?',
    '4.1':
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdServingId AdTitle AdVerifications? Advertiser? Category* Creatives Description? Expires? Survey?',
  },
  Wrapper: {
    '2.0': 'AdSystem VASTAdTagURI Error? Impression+ Creatives Extensions?',
    '4.0': 'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? Creatives? VASTAdTagURI',
    '4.1':
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdVerifications? BlockedAdCategories* Creatives? VASTAdTagURI',
  },
  Extensions: { '2.0': 'Extension*' },
  ViewableImpression: { '4.0': 'Viewable* NotViewable* ViewUndetermined*' },
  AdVerifications: { '4.1': 'Verification*' },
  Verification: { '4.1': 'ExecutableResource* JavaScriptResource* TrackingEvents? VerificationParameters?' },
  Creatives: { '2.0': 'Creative+' },
  'Wrapper/Creatives': { '2.0': 'Creative*', '4.0': 'Creative+' },
  Creative: {
    '2.0': 'Linear|CompanionAds|NonLinearAds',
    '4.0': 'CompanionAds? CreativeExtensions? Linear? NonLinearAds? UniversalAdId',
    '4.2': 'CompanionAds? CreativeExtensions? Linear? NonLinearAds? UniversalAdId+',
  },
  'Wrapper/Creative': {
    '2.0': 'Linear|CompanionAds|NonLinearAds',
    '4.0': 'CompanionAds? Linear? NonLinearAds?',
  },
  CreativeExtensions: { '3.0': 'CreativeExtension*' },
  Linear: {
    '2.0': 'Duration TrackingEvents? AdParameters? VideoClicks? MediaFiles?',
    '3.0': 'Icons? CreativeExtensions? Duration TrackingEvents? AdParameters? VideoClicks? MediaFiles?',
    '4.0': 'Icons? TrackingEvents? AdParameters? Duration MediaFiles VideoClicks?',
  },
  'Wrapper/Linear': {
    '2.0': 'TrackingEvents? VideoClicks?',
    '3.0': 'CreativeExtensions? Icons? TrackingEvents? VideoClicks?',
    '4.0': 'Icons? TrackingEvents? VideoClicks?',
  },
  TrackingEvents: { '2.0': 'Tracking*' },
  VideoClicks: {
    '2.0': 'ClickThrough? ClickTracking* CustomClick*',
    '4.0': 'ClickTracking* CustomClick* ClickThrough?',
    '4.2': 'ClickTracking* ClickThrough? CustomClick*',
  },
  'Wrapper/VideoClicks': {
    '2.0': 'ClickTracking*',
    '3.0': 'ClickTracking* CustomClick*',
    '4.2': 'ClickTracking* ClickThrough? CustomClick*',
  },
  MediaFiles: {
    '2.0': 'MediaFile+',
    '4.0': 'MediaFile+ Mezzanine? InteractiveCreativeFile*',
    '4.1': 'ClosedCaptionFiles? MediaFile+ Mezzanine* InteractiveCreativeFile*',
  },
  ClosedCaptionFiles: { '4.1': 'ClosedCaptionFile*' },
  Icons: { '3.0': 'Icon+', '4.0': 'Icon?', '4.2': 'Icon+' },
  Icon: {
    '3.0': `${resources} IconClicks? IconViewTracking*`,
    '4.0': `${anyResources} IconClicks? IconViewTracking*`,
  },
  IconClicks: {
    '3.0': 'IconClickTracking* IconClickThrough?',
    '4.0': 'IconClickThrough? IconClickTracking*',
    '4.2': 'IconClickFallbackImages? IconClickThrough? IconClickTracking*',
  },
  IconClickFallbackImages: { '4.2': 'IconClickFallbackImage+' },
  IconClickFallbackImage: { '4.2': 'AltText? StaticResource?' },
  CompanionAds: { '2.0': 'Companion*' },
  Companion: {
    '2.0': `${resources} TrackingEvents? CompanionClickThrough? AltText? AdParameters?`,
    '3.0': `${resources} CreativeExtensions? TrackingEvents? CompanionClickThrough? AltText? AdParameters?`,
    '4.0': `${anyResources} AdParameters? AltText? CompanionClickThrough? CompanionClickTracking* CreativeExtensions? TrackingEvents?`,
  },
  'Wrapper/Companion': {
    '2.0': `${resources} TrackingEvents? CompanionClickThrough? AltText? AdParameters?`,
    '3.0': `${resources} CreativeExtensions? TrackingEvents? CompanionClickThrough? CompanionClickTracking* AltText? AdParameters?`,
    '4.0': `${anyResources} AdParameters? AltText? CompanionClickThrough? CompanionClickTracking* CreativeExtensions? TrackingEvents?`,
  },
  // 4.0 has no place for a `NonLinear`'s size, so a player could not show it.
  NonLinearAds: {
    '2.0': 'TrackingEvents? NonLinear+',
    '4.0': 'TrackingEvents?',
    '4.1': 'TrackingEvents? NonLinear*',
  },
  'Wrapper/NonLinearAds': { '2.0': 'TrackingEvents? NonLinear*' },
  NonLinear: {
    '2.0': `${resources} NonLinearClickThrough? AdParameters?`,
    '3.0': `${resources} CreativeExtensions? NonLinearClickTracking* NonLinearClickThrough? AdParameters?`,
    '4.0': `${anyResources} AdParameters? NonLinearClickThrough? NonLinearClickTracking*`,
  },
  'Wrapper/NonLinear': {
    '2.0': `${resources} NonLinearClickThrough? AdParameters?`,
    '3.0': 'CreativeExtensions? NonLinearClickTracking*',
    '4.0': 'NonLinearClickTracking?',
  },
};

const size = 'width height expandedWidth expandedHeight';
const nonLinear = `id ${size} scalable maintainAspectRatio minSuggestedDuration apiFramework`;
const companion = `id ${size} apiFramework`;
const mediaFile = 'id delivery type bitrate width height scalable maintainAspectRatio apiFramework';
const icon = 'program width height xPosition yPosition offset duration apiFramework';

/** By version; elements that are not here have none. `*` = any. */
export const attributesTable: Readonly<Record<string, ByVersion>> = {
  Ad: {
    '2.0': 'id',
    '3.0': 'id sequence',
    '4.0': 'id sequence conditionalAd',
    '4.1': 'id sequence conditionalAd adType',
  },
  Wrapper: { '4.0': 'followAdditionalWrappers allowMultipleAds fallbackOnNoAd' },
  AdSystem: { '2.0': 'version' },
  Impression: { '2.0': 'id' },
  'Wrapper/Impression': { '4.0': 'id' },
  Pricing: { '3.0': 'model currency' },
  Survey: { '4.0': 'type' },
  Category: { '4.0': 'authority' },
  BlockedAdCategories: { '4.1': 'authority' },
  ViewableImpression: { '4.0': 'id' },
  Verification: { '4.1': 'vendor' },
  ExecutableResource: { '4.1': 'apiFramework type' },
  JavaScriptResource: { '4.1': 'apiFramework browserOptional' },
  Extension: { '2.0': '*', '4.0': 'type' },
  CreativeExtension: { '3.0': '*' },
  Creative: { '2.0': 'id sequence AdID', '4.0': 'id sequence adId apiFramework' },
  UniversalAdId: { '4.0': 'idRegistry idValue', '4.1': 'idRegistry' },
  Linear: { '3.0': 'skipoffset' },
  'Wrapper/Linear': { '4.0': 'skipoffset' },
  Tracking: { '2.0': 'event', '3.0': 'event offset' },
  AdParameters: { '3.0': 'xmlEncoded' },
  ClickThrough: { '2.0': 'id' },
  ClickTracking: { '2.0': 'id' },
  CustomClick: { '2.0': 'id' },
  MediaFile: {
    '2.0': mediaFile,
    '3.0': `${mediaFile} minBitrate maxBitrate codec`,
    '4.1': `${mediaFile} minBitrate maxBitrate codec fileSize mediaType`,
  },
  Mezzanine: { '4.1': 'id delivery type width height codec fileSize mediaType' },
  InteractiveCreativeFile: { '4.0': 'type apiFramework', '4.1': 'type apiFramework variableDuration' },
  ClosedCaptionFile: { '4.1': 'type language' },
  Icon: { '3.0': icon, '4.0': `${icon} pxratio`, '4.3': `${icon} pxratio altText hoverText` },
  IconClickTracking: { '4.0': 'id' },
  IconClickFallbackImage: { '4.2': 'width height' },
  StaticResource: { '2.0': 'creativeType' },
  HTMLResource: { '3.0': 'xmlEncoded', '4.0': '' },
  CompanionAds: { '3.0': 'required' },
  'Wrapper/CompanionAds': { '3.0': '', '4.0': 'required' },
  Companion: {
    '2.0': companion,
    '3.0': `${companion} assetWidth assetHeight adSlotId`,
    '4.0': `${companion} assetWidth assetHeight adSlotID pxratio`,
    '4.1': `${companion} assetWidth assetHeight adSlotId pxratio renderingMode`,
  },
  CompanionClickTracking: { '4.0': 'id' },
  NonLinear: { '2.0': nonLinear },
  'Wrapper/NonLinear': { '2.0': nonLinear, '4.0': '' },
  NonLinearClickTracking: { '4.0': 'id' },
};

const always =
  'creativeView start firstQuartile midpoint thirdQuartile complete mute unmute pause rewind resume';
const in4 = `${always} acceptInvitation close skip progress playerExpand playerCollapse adExpand adCollapse minimize overlayViewDuration otherAdInteraction`;

export const eventsTable: ByVersion = {
  '2.0': `${always} acceptInvitation close fullscreen expand collapse`,
  '3.0': `${always} acceptInvitation close fullscreen expand collapse exitFullscreen skip progress acceptInvitationLinear closeLinear`,
  '4.0': `${in4} acceptInvitationLinear timeSpentViewing`,
  '4.1': `${in4} closeLinear loaded verificationNotExecuted`,
  '4.2': `${in4} closeLinear loaded verificationNotExecuted interactiveStart`,
  '4.3': `${in4} closeLinear loaded verificationNotExecuted interactiveStart notUsed`,
};

/** Names of one event over time, in the order tried (VAST 4.0, TrackingEvents). */
export const eventNames: readonly (readonly string[])[] = [
  ['fullscreen', 'playerExpand'],
  ['exitFullscreen', 'playerCollapse'],
  ['expand', 'adExpand'],
  ['collapse', 'adCollapse'],
  ['acceptInvitationLinear', 'acceptInvitation'],
  ['closeLinear', 'close'],
];

/**
 * Become an `Extension` of that `type` in versions without them (VAST CTV Addendum 2024, Open Measurement SDK guides).
 * What is neither known nor here is dropped.
 */
export const extensionElements: readonly string[] = [
  'Advertiser',
  'Pricing',
  'Category',
  'BlockedAdCategories',
  'Expires',
  'AdServingId',
  'ViewableImpression',
  'AdVerifications',
  'UniversalAdId',
  'CreativeExtensions',
  'Icon',
  'Mezzanine',
  'InteractiveCreativeFile',
  'ClosedCaptionFiles',
];
