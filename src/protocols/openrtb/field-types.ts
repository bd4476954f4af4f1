/** Attributes of one object of a bid request that are no strings, by type. Names are separated by spaces. */
interface Attributes {
  readonly integers?: string;
  readonly floats?: string;
  readonly stringLists?: string;
  readonly integerLists?: string;
  /** Attributes that hold an object, with the object's kind. */
  readonly objects?: Readonly<Record<string, string>>;
  readonly objectLists?: Readonly<Record<string, string>>;
}

/** The objects of an OpenRTB 2.6-202606 bid request (sections 3.2.1 to 3.2.35); `ext` may hold anything. */
const attributes: Readonly<Record<string, Attributes>> = {
  BidRequest: {
    integers: 'test at tmax allimps cattax',
    stringLists: 'wseat bseat cur wlang wlangb acat bcat badv bapp',
    objects: {
      site: 'Site',
      app: 'App',
      dooh: 'DOOH',
      device: 'Device',
      user: 'User',
      source: 'Source',
      regs: 'Regs',
    },
    objectLists: { imp: 'Imp' },
  },
  Source: { integers: 'fd', objects: { schain: 'SupplyChain' } },
  Regs: { integers: 'coppa gdpr', integerLists: 'gpp_sid' },
  Imp: {
    integers: 'instl clickbrowser secure rwdd ssai exp',
    floats: 'bidfloor dt',
    stringLists: 'iframebuster',
    objects: {
      banner: 'Banner',
      video: 'Video',
      audio: 'Audio',
      native: 'Native',
      pmp: 'Pmp',
      qty: 'Qty',
      refresh: 'Refresh',
    },
    objectLists: { metric: 'Metric' },
  },
  Metric: { floats: 'value' },
  Banner: {
    integers: 'w h pos topframe vcm',
    integerLists: 'btype battr expdir api',
    stringLists: 'mimes',
    objectLists: { format: 'Format' },
  },
  Video: {
    stringLists: 'mimes',
    integers:
      'minduration maxduration startdelay maxseq poddur w h podseq placement plcmt linearity skip skipmin skipafter sequence slotinpod maxextended minbitrate maxbitrate boxingallowed playbackend pos',
    integerLists: 'protocols rqddurs battr playbackmethod delivery api companiontype poddedupe',
    floats: 'mincpmpersec',
    objectLists: { companionad: 'Banner', durfloors: 'DurFloors' },
  },
  Audio: {
    stringLists: 'mimes',
    integers:
      'minduration maxduration poddur startdelay podseq sequence slotinpod maxextended minbitrate maxbitrate maxseq feed stitched nvol',
    integerLists: 'protocols rqddurs battr delivery api companiontype',
    floats: 'mincpmpersec',
    objectLists: { companionad: 'Banner', durfloors: 'DurFloors' },
  },
  Native: { integerLists: 'api battr' },
  Format: { integers: 'w h wratio hratio wmin' },
  Pmp: { integers: 'private_auction', objectLists: { deals: 'Deal' } },
  Deal: {
    floats: 'bidfloor mincpmpersec',
    integers: 'at guar',
    stringLists: 'wseat wadomain',
    objectLists: { durfloors: 'DurFloors' },
  },
  Site: {
    integers: 'cattax mobile privacypolicy',
    stringLists: 'cat sectioncat pagecat kwarray',
    objects: { publisher: 'Publisher', content: 'Content' },
  },
  App: {
    integers: 'cattax privacypolicy paid',
    stringLists: 'cat sectioncat pagecat kwarray',
    objects: { publisher: 'Publisher', content: 'Content' },
  },
  Publisher: { integers: 'cattax', stringLists: 'cat' },
  Content: {
    integers:
      'episode gtax cattax prodq context qagmediarating livestream sourcerelationship len embeddable realtime firstbroadcast',
    stringLists: 'genres cat kwarray',
    objects: { producer: 'Producer', network: 'Network', channel: 'Channel' },
    objectLists: { data: 'Data' },
  },
  Producer: { integers: 'cattax', stringLists: 'cat' },
  Device: {
    integers: 'dnt lmt devicetype h w ppi js geofetch connectiontype',
    floats: 'pxratio',
    objects: { geo: 'Geo', sua: 'UserAgent' },
  },
  Geo: { floats: 'lat lon', integers: 'type accuracy lastfix ipservice utcoffset' },
  User: {
    integers: 'yob',
    stringLists: 'kwarray',
    objects: { geo: 'Geo' },
    objectLists: { data: 'Data', eids: 'EID' },
  },
  Data: { stringLists: 'cids', objectLists: { segment: 'Segment' } },
  Segment: {},
  Network: {},
  Channel: {},
  SupplyChain: { integers: 'complete', objectLists: { nodes: 'SupplyChainNode' } },
  SupplyChainNode: { integers: 'hp' },
  EID: { integers: 'mm', objectLists: { uids: 'UID' } },
  UID: { integers: 'atype' },
  UserAgent: {
    integers: 'mobile source',
    objects: { platform: 'BrandVersion' },
    objectLists: { browsers: 'BrandVersion' },
  },
  BrandVersion: { stringLists: 'version' },
  Qty: { floats: 'multiplier', integers: 'sourcetype' },
  DOOH: {
    stringLists: 'venuetype',
    integers: 'venuetypetax',
    objects: { publisher: 'Publisher', content: 'Content' },
  },
  Refresh: { integers: 'count', objectLists: { refsettings: 'RefSettings' } },
  RefSettings: { integers: 'reftype minint' },
  DurFloors: { integers: 'mindur maxdur', floats: 'bidfloor' },
};

/** What an attribute holds: a simple type, or a kind of object, or a list of either. */
export interface FieldType {
  readonly form: 'string' | 'integer' | 'float' | 'object';
  readonly isList: boolean;
  /** Kind of the object (or of the list's objects), as `Imp`. */
  readonly object: string | undefined;
}

type Entry = readonly [attribute: string, type: FieldType];

const words = (text = '') => text.split(' ').filter((word) => word !== '');

const simple = (names: string | undefined, form: FieldType['form'], isList: boolean): Entry[] =>
  words(names).map((name) => [name, { form, isList, object: undefined }]);

const objects = (kinds: Readonly<Record<string, string>> | undefined, isList: boolean): Entry[] =>
  Object.entries(kinds ?? {}).map(([name, object]) => [name, { form: 'object', isList, object }]);

const entriesOf = (row: Attributes): Entry[] => [
  ...simple('ext', 'object', false),
  ...simple(row.integers, 'integer', false),
  ...simple(row.floats, 'float', false),
  ...simple(row.stringLists, 'string', true),
  ...simple(row.integerLists, 'integer', true),
  ...objects(row.objects, false),
  ...objects(row.objectLists, true),
];

const types = new Map(Object.entries(attributes).map(([object, row]) => [object, new Map(entriesOf(row))]));

const string: FieldType = { form: 'string', isList: false, object: undefined };

/**
 * The type of an attribute in a kind of object of the bid request, such as `tagid` in `Imp`. An attribute that the
 * table does not name counts as a string; so does every attribute in `ext`, an object whose kind is undefined.
 */
export function fieldTypeOf(object: string | undefined, attribute: string): FieldType {
  return types.get(object ?? '')?.get(attribute) ?? string;
}
