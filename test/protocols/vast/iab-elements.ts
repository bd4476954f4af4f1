/** A version whose schema the IAB has published as a file. */
export type SchemaVersion = '2.0' | '3.0' | '4.0' | '4.1' | '4.2';

/**
 * What an element may hold, and its attributes, of which those with `!` are required. The notation is that of regular
 * expressions, with `&` between children that come in any order; `ANY*` and `*` = anything.
 */
type Facts = readonly [children: string, attributes: string];
type Rows = Readonly<Partial<Record<SchemaVersion, Facts>>>;

/**
 * The elements of the IAB's XSD files (2.0.1, 3.0.0, 4.0.7, 4.1.2, 4.2.0), as they are from a version on. Elements that
 * are not the same everywhere are named with the element above them, or `Wrapper/…` for those of wrappers.
 */
export const iabElements: Readonly<Record<string, Rows>> = {
  Ad: {
    '2.0': ['(InLine?|Wrapper?)', 'id!'],
    '3.0': ['(InLine?|Wrapper?)', 'id sequence'],
    '4.0': ['(InLine?|Wrapper?)', 'conditionalAd id sequence'],
    '4.1': ['(InLine?|Wrapper?)', 'adType conditionalAd id sequence'],
  },
  AdParameters: { '2.0': ['', ''], '3.0': ['', 'xmlEncoded'] },
  AdServingId: { '4.1': ['', ''] },
  AdSystem: { '2.0': ['', 'version'] },
  AdTitle: { '2.0': ['', ''] },
  AdVerifications: { '4.0': ['Verification*', ''] },
  Advertiser: { '3.0': ['', ''] },
  AltText: { '2.0': ['', ''] },
  BlockedAdCategories: { '4.1': ['', 'authority'] },
  Category: { '4.0': ['', 'authority!'] },
  ClickThrough: { '2.0': ['', 'id'] },
  ClickTracking: { '2.0': ['', 'id'] },
  ClosedCaptionFile: { '4.1': ['', 'language type'] },
  ClosedCaptionFiles: { '4.1': ['ClosedCaptionFile*', ''] },
  Companion: {
    '2.0': [
      '(StaticResource?|IFrameResource?|HTMLResource?) TrackingEvents? CompanionClickThrough? AltText? AdParameters?',
      'apiFramework expandedHeight expandedWidth height! id width!',
    ],
    '3.0': [
      '(StaticResource?|IFrameResource?|HTMLResource?) CreativeExtensions? TrackingEvents? CompanionClickThrough? AltText? AdParameters?',
      'adSlotId apiFramework assetHeight assetWidth expandedHeight expandedWidth height! id width!',
    ],
    '4.0': [
      'HTMLResource* IFrameResource* StaticResource* AdParameters? AltText? CompanionClickThrough? CompanionClickTracking* CreativeExtensions? TrackingEvents?',
      'adSlotID apiFramework assetHeight assetWidth expandedHeight expandedWidth height! id pxratio width!',
    ],
    '4.1': [
      'HTMLResource* IFrameResource* StaticResource* AdParameters? AltText? CompanionClickThrough? CompanionClickTracking* CreativeExtensions? TrackingEvents?',
      'adSlotId apiFramework assetHeight assetWidth expandedHeight expandedWidth height! id pxratio renderingMode width!',
    ],
  },
  CompanionAds: { '2.0': ['Companion*', ''], '3.0': ['Companion*', 'required'] },
  CompanionClickThrough: { '2.0': ['', ''] },
  CompanionClickTracking: { '3.0': ['', ''], '4.0': ['', 'id!'] },
  Creative: {
    '2.0': ['(Linear?|CompanionAds?|NonLinearAds?)', 'AdID id sequence'],
    '4.0': [
      '(CompanionAds?&CreativeExtensions?&Linear?&NonLinearAds?&UniversalAdId)',
      'adId apiFramework id sequence',
    ],
    '4.2': [
      'CompanionAds? CreativeExtensions? Linear? NonLinearAds? UniversalAdId+',
      'adId apiFramework id sequence',
    ],
  },
  CreativeExtension: { '3.0': ['ANY*', '*'], '4.0': ['ANY*', '* type'] },
  CreativeExtensions: { '3.0': ['CreativeExtension*', ''] },
  Creatives: { '2.0': ['Creative+', ''] },
  CustomClick: { '2.0': ['', 'id'] },
  Description: { '2.0': ['', ''] },
  Duration: { '2.0': ['', ''] },
  Error: { '2.0': ['', ''] },
  ExecutableResource: { '4.1': ['', 'apiFramework type'] },
  Expires: { '4.1': ['', ''] },
  Extension: { '2.0': ['ANY*', '*'], '3.0': ['ANY*', '*'], '4.0': ['ANY*', 'type'] },
  Extensions: { '2.0': ['Extension*', ''] },
  FlashResource: { '4.0': ['', 'apiFramework'] },
  HTMLResource: { '2.0': ['', ''], '3.0': ['', 'xmlEncoded'], '4.0': ['', ''] },
  IFrameResource: { '2.0': ['', ''] },
  Icon: {
    '3.0': [
      '(StaticResource?|IFrameResource?|HTMLResource?) IconClicks? IconViewTracking*',
      'apiFramework duration height! offset program! width! xPosition! yPosition!',
    ],
    '4.0': [
      'HTMLResource* IFrameResource* StaticResource* IconClicks? IconViewTracking*',
      'apiFramework duration height offset program pxratio width xPosition yPosition',
    ],
  },
  IconClickFallbackImage: { '4.2': ['AltText? StaticResource?', 'height width'] },
  'IconClickFallbackImage/StaticResource': { '4.2': ['', ''] },
  IconClickFallbackImages: { '4.2': ['IconClickFallbackImage+', ''] },
  IconClickThrough: { '3.0': ['', ''] },
  IconClickTracking: { '3.0': ['', ''], '4.0': ['', 'id'] },
  IconClicks: {
    '3.0': ['IconClickTracking* IconClickThrough?', ''],
    '4.0': ['IconClickThrough? IconClickTracking*', ''],
    '4.2': ['IconClickFallbackImages? IconClickThrough? IconClickTracking*', ''],
  },
  IconViewTracking: { '3.0': ['', ''] },
  Icons: { '3.0': ['Icon+', ''], '4.0': ['(Icon?)', ''], '4.2': ['Icon+', ''] },
  Impression: { '2.0': ['', 'id'] },
  InLine: {
    '2.0': ['AdSystem AdTitle Description? Survey? Error? Impression+ Creatives Extensions?', ''],
    '3.0': [
      'AdSystem AdTitle Description? Advertiser? Pricing? Survey? Error? Impression+ Creatives Extensions?',
      '',
    ],
    '4.0': [
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdTitle AdVerifications? Advertiser? Category* Creatives Description? Survey?',
      '',
    ],
    '4.1': [
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdServingId AdTitle AdVerifications? Advertiser? Category* Creatives Description? Expires? Survey?',
      '',
    ],
  },
  InteractiveCreativeFile: {
    '4.0': ['', 'apiFramework type'],
    '4.1': ['', 'apiFramework type variableDuration'],
  },
  JavaScriptResource: { '4.0': ['', 'apiFramework'], '4.1': ['', 'apiFramework browserOptional'] },
  Linear: {
    '2.0': ['Duration TrackingEvents? AdParameters? VideoClicks? MediaFiles?', ''],
    '3.0': [
      'Icons? CreativeExtensions? Duration TrackingEvents? AdParameters? VideoClicks? MediaFiles?',
      'skipoffset',
    ],
    '4.0': ['Icons? TrackingEvents? AdParameters? Duration MediaFiles VideoClicks?', 'skipoffset'],
  },
  MediaFile: {
    '2.0': ['', 'apiFramework bitrate delivery! height! id maintainAspectRatio scalable type! width!'],
    '3.0': [
      '',
      'apiFramework bitrate codec delivery! height! id maintainAspectRatio maxBitrate minBitrate scalable type! width!',
    ],
    '4.1': [
      '',
      'apiFramework bitrate codec delivery! fileSize height! id maintainAspectRatio maxBitrate mediaType minBitrate scalable type! width!',
    ],
  },
  MediaFiles: {
    '2.0': ['MediaFile+', ''],
    '4.0': ['MediaFile+ Mezzanine? InteractiveCreativeFile*', ''],
    '4.1': ['ClosedCaptionFiles? MediaFile+ Mezzanine* InteractiveCreativeFile*', ''],
  },
  Mezzanine: { '4.0': ['', ''], '4.1': ['', 'codec delivery! fileSize height! id mediaType type! width!'] },
  NonLinear: {
    '2.0': [
      '(StaticResource?|IFrameResource?|HTMLResource?) NonLinearClickThrough? AdParameters?',
      'apiFramework expandedHeight expandedWidth height! id maintainAspectRatio minSuggestedDuration scalable width!',
    ],
    '3.0': [
      '(StaticResource?|IFrameResource?|HTMLResource?) CreativeExtensions? NonLinearClickTracking* NonLinearClickThrough? AdParameters?',
      'apiFramework expandedHeight expandedWidth height! id maintainAspectRatio minSuggestedDuration scalable width!',
    ],
    '4.0': [
      'HTMLResource* IFrameResource* StaticResource* AdParameters? NonLinearClickThrough? NonLinearClickTracking*',
      '',
    ],
    '4.1': [
      'HTMLResource* IFrameResource* StaticResource* AdParameters? NonLinearClickThrough? NonLinearClickTracking*',
      'apiFramework expandedHeight expandedWidth height! id maintainAspectRatio minSuggestedDuration scalable width!',
    ],
  },
  NonLinearAds: { '2.0': ['TrackingEvents? NonLinear+', ''], '4.0': ['TrackingEvents? NonLinear*', ''] },
  NonLinearClickThrough: { '2.0': ['', ''] },
  NonLinearClickTracking: { '3.0': ['', ''], '4.0': ['', 'id'] },
  NotViewable: { '4.0': ['', ''] },
  Pricing: { '3.0': ['', 'currency! model!'] },
  StaticResource: { '2.0': ['', 'creativeType!'] },
  Survey: { '2.0': ['', ''], '4.0': ['', 'type'] },
  Tracking: { '2.0': ['', 'event!'], '3.0': ['', 'event! offset'] },
  TrackingEvents: { '2.0': ['Tracking*', ''] },
  UniversalAdId: { '4.0': ['', 'idRegistry! idValue!'], '4.1': ['', 'idRegistry!'] },
  VAST: { '2.0': ['Ad*', 'version!'], '4.0': ['(Ad*|Error*)', 'version!'] },
  VASTAdTagURI: { '2.0': ['', ''] },
  Verification: {
    '4.0': ['FlashResource* JavaScriptResource* ViewableImpression?', 'vendor'],
    '4.1': ['ExecutableResource* JavaScriptResource* TrackingEvents? VerificationParameters?', 'vendor'],
  },
  'Verification/Tracking': { '4.1': ['', 'event!'] },
  'Verification/ViewableImpression': {
    '4.0': ['', 'id'],
    '4.1': ['Viewable* NotViewable* ViewUndetermined*', 'id'],
  },
  VerificationParameters: { '4.1': ['', ''] },
  VideoClicks: {
    '2.0': ['ClickThrough? ClickTracking* CustomClick*', ''],
    '4.0': ['ClickTracking* CustomClick* ClickThrough?', ''],
    '4.2': ['ClickTracking* ClickThrough? CustomClick*', ''],
  },
  ViewUndetermined: { '4.0': ['', ''] },
  Viewable: { '4.0': ['', ''] },
  ViewableImpression: { '4.0': ['Viewable* NotViewable* ViewUndetermined*', 'id'] },
  Wrapper: {
    '2.0': ['AdSystem VASTAdTagURI Error? Impression+ Creatives Extensions?', ''],
    '4.0': [
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdVerifications? Creatives? VASTAdTagURI',
      'allowMultipleAds fallbackOnNoAd followAdditionalWrappers',
    ],
    '4.1': [
      'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdVerifications? BlockedAdCategories* Creatives? VASTAdTagURI',
      'allowMultipleAds fallbackOnNoAd followAdditionalWrappers',
    ],
  },
  'Wrapper/Companion': {
    '3.0': [
      '(StaticResource?|IFrameResource?|HTMLResource?)? CreativeExtensions? TrackingEvents? CompanionClickThrough? CompanionClickTracking* AltText? AdParameters?',
      'adSlotId apiFramework assetHeight assetWidth expandedHeight expandedWidth height! id width!',
    ],
    '4.0': [
      'HTMLResource* IFrameResource* StaticResource* AdParameters? AltText? CompanionClickThrough? CompanionClickTracking* CreativeExtensions? TrackingEvents?',
      'adSlotID apiFramework assetHeight assetWidth expandedHeight expandedWidth height! id pxratio width!',
    ],
    '4.1': [
      'HTMLResource* IFrameResource* StaticResource* AdParameters? AltText? CompanionClickThrough? CompanionClickTracking* CreativeExtensions? TrackingEvents?',
      'adSlotId apiFramework assetHeight assetWidth expandedHeight expandedWidth height! id pxratio renderingMode width!',
    ],
  },
  'Wrapper/CompanionAds': { '3.0': ['Companion*', ''], '4.0': ['Companion*', 'required'] },
  'Wrapper/Creative': { '4.0': ['CompanionAds? Linear? NonLinearAds?', 'adId apiFramework id sequence'] },
  'Wrapper/Creatives': { '2.0': ['Creative*', ''], '4.0': ['Creative+', ''] },
  'Wrapper/Impression': { '2.0': ['', ''], '4.0': ['', 'id'] },
  'Wrapper/Linear': {
    '2.0': ['TrackingEvents? VideoClicks?', ''],
    '3.0': ['CreativeExtensions? Icons? TrackingEvents? VideoClicks?', ''],
    '4.0': ['Icons? TrackingEvents? VideoClicks?', 'skipoffset'],
  },
  'Wrapper/NonLinear': {
    '3.0': [
      'CreativeExtensions? NonLinearClickTracking*',
      'apiFramework expandedHeight expandedWidth height id maintainAspectRatio minSuggestedDuration scalable width',
    ],
    '4.0': ['(NonLinearClickTracking?)', ''],
  },
  'Wrapper/NonLinearAds': {
    '2.0': ['TrackingEvents? NonLinear*', ''],
    '4.0': ['TrackingEvents? NonLinear*', ''],
  },
  'Wrapper/Verification': {
    '4.0': ['ViewableImpression?', 'vendor'],
    '4.1': ['ExecutableResource* JavaScriptResource* TrackingEvents? VerificationParameters?', 'vendor'],
  },
  'Wrapper/VideoClicks': {
    '2.0': ['ClickTracking*', ''],
    '3.0': ['ClickTracking* CustomClick*', ''],
    '4.2': ['ClickTracking* ClickThrough? CustomClick*', ''],
  },
};

/** Names of events that `Tracking` may have, but for those of verifications, which may have any. */
export const iabEvents: Readonly<Record<SchemaVersion, readonly string[]>> = {
  '2.0':
    'creativeView start midpoint firstQuartile thirdQuartile complete mute unmute pause rewind resume fullscreen expand collapse acceptInvitation close'.split(
      ' ',
    ),
  '3.0':
    'creativeView start firstQuartile midpoint thirdQuartile complete mute unmute pause rewind resume fullscreen exitFullscreen expand collapse acceptInvitation close skip progress acceptInvitationLinear closeLinear'.split(
      ' ',
    ),
  '4.0':
    'mute unmute pause resume rewind skip playerExpand playerCollapse start firstQuartile midpoint thirdQuartile complete acceptInvitationLinear timeSpentViewing progress creativeView acceptInvitation adExpand adCollapse minimize close overlayViewDuration otherAdInteraction'.split(
      ' ',
    ),
  '4.1':
    'mute unmute pause resume rewind skip playerExpand playerCollapse loaded start firstQuartile midpoint thirdQuartile complete progress closeLinear creativeView acceptInvitation adExpand adCollapse minimize close overlayViewDuration otherAdInteraction'.split(
      ' ',
    ),
  '4.2':
    'mute unmute pause resume rewind skip playerExpand playerCollapse loaded start firstQuartile midpoint thirdQuartile complete progress closeLinear creativeView acceptInvitation adExpand adCollapse minimize close overlayViewDuration otherAdInteraction interactiveStart'.split(
      ' ',
    ),
};
