interface AppStore {
  readonly hosts: readonly string[];
  /** The parameter of their URLs that names the app; absent: the path does. */
  readonly parameter?: string;
  /** The form of the bundles that are looked up there, where the page follows from it. */
  readonly bundle?: RegExp;
  /** Begin of the URL of an app's page, without a scheme; the bundle ends it. */
  readonly page?: string;
}

/** The stores whose pages tell of an app: whether it is there, and who has made it. */
export const appStores: readonly AppStore[] = [
  {
    hosts: ['play.google.com'],
    parameter: 'id',
    bundle: /^[A-Za-z]\w*(\.\w+)+$/,
    page: 'play.google.com/store/apps/details?id=',
  },
  {
    hosts: ['apps.apple.com', 'itunes.apple.com'],
    bundle: /^\d{6,12}$/,
    page: 'apps.apple.com/app/id',
  },
  { hosts: ['www.amazon.com', 'amazon.com'] },
  { hosts: ['channelstore.roku.com'] },
  { hosts: ['apps.microsoft.com'] },
  { hosts: ['galaxystore.samsung.com'] },
  { hosts: ['apps.samsung.com'], parameter: 'appId' },
  { hosts: ['appgallery.huawei.com'] },
];
