import { filmPath, landingPath } from '../../reference/demo-paths.ts';
import { type DemoRow, demoRow } from './demo-row.ts';

const mock = {
  fjordVast: 'vast/price=6.5,fill=0.7,latency=10-60,domain=fjordmobility.example,category=IAB2',
  bidharborVast: 'vast/price=7-9,fill=0.9,latency=20-120,domain=shoes.example,category=IAB18',
  bidharborRtb:
    'rtb/price=2-8,fill=0.8,latency=20-150,deal=nordlicht-news,domain=travel.example,category=IAB20',
  bidharborPop: 'pop/price=1-3,fill=0.6,latency=10-80,domain=games.example',
  /** On trial: now and then it fails. */
  fjordRtb:
    'rtb/price=1-7,currency=EUR,fill=0.5,latency=5-300,fault=error,faulty=0.2,domain=fjordmobility.example',
};

const device = '?w={width}&h={height}&ip={ip}&ua={ua}&cb={cb}';
const app = `${device}&b={app_bundle}&n={app_name}`;

const visit = '?ip={ip}&ua={ua}&q={query}&sub={subid}';

/** From 6 o'clock until midnight on working days, and from 8 on weekends. */
const shoppingHours = [6, 6, 6, 6, 6, 8, 8].map((from) => '0'.repeat(from) + '1'.repeat(24 - from)).join('');

export const demoDemand: readonly DemoRow[] = [
  demoRow('DspVastTag', 'Fjord video', (id, { dsp }) => ({
    AdvertiserId: id('Fjord'),
    Name: 'Fjord video, Europe',
    Tags: [id('Premium')],
    ZoneUrlEu: `${dsp(mock.fjordVast)}${device}`,
    FixedCpm: 6.5,
    RevenueDailyLimit: 400,
    MaxBidfloor: 6,
    DomainsBrandsListMode: 1,
    DomainsBrandsList: [id('Quality news')],
    IpBlacklists: [id('Data centres')],
  })),
  demoRow('DspVastTag', 'Bidharbor video', (id, { dsp }) => ({
    AdvertiserId: id('Bidharbor'),
    Name: 'Bidharbor video, apps',
    WebEnabled: 0,
    ZoneUrlUsEast: `${dsp(mock.bidharborVast)}${app}`,
    ZoneUrlEu: `${dsp(mock.bidharborVast)}${app}`,
    MaxQps: 500,
    AppsListMode: 0,
    AppsList: [id('Games for children')],
    DeviceTypes: [1, 3, 4, 5, 6, 7],
  })),
  demoRow('DspRtbEp', 'Bidharbor RTB', (id, { dsp }) => ({
    AdvertiserId: id('Bidharbor'),
    Name: 'Bidharbor OpenRTB',
    Tags: [id('Premium')],
    ZoneUrlUsEast: dsp(mock.bidharborRtb),
    ZoneUrlEu: dsp(mock.bidharborRtb),
    MaxQps: 2000,
    MinTmax: 120,
    Gzip: 1,
    AddSchainNode: 1,
    BannerEnabled: 1,
    VideoEnabled: 1,
    NativeEnabled: 1,
    RevenueDailyLimit: 5000,
    IpBlacklists: [id('Data centres')],
    CustomParams: { 'ext.exchange': 'bourse' },
  })),
  demoRow('DspRtbEp', 'Fjord RTB', (id, { dsp }) => ({
    AdvertiserId: id('Fjord'),
    Name: 'Fjord OpenRTB, on trial',
    Tags: [id('Trial')],
    ZoneUrlEu: dsp(mock.fjordRtb),
    Currency: 'EUR',
    MaxQps: 50,
    BannerEnabled: 1,
    VideoEnabled: 1,
    PopEnabled: 1,
  })),
  demoRow('DspPopFeed', 'Bidharbor pop', (id, { dsp }) => ({
    AdvertiserId: id('Bidharbor'),
    Name: 'Bidharbor pop feed',
    FeedUrlUsEast: `${dsp(mock.bidharborPop)}${visit}`,
    FeedUrlEu: `${dsp(mock.bidharborPop)}${visit}`,
    PriceImp1000: 1,
    MaxQps: 300,
    ImpressionsLimitPerIp: 2,
    IpBlacklists: [id('Data centres')],
  })),
  demoRow('Campaign', 'Atlas film', (id, { url, day }) => ({
    AdvertiserId: id('Atlas'),
    Name: 'Atlas summer film',
    Type: 1,
    Cpm: 4.2,
    SpendDailyLimit: 150,
    SpendTotalLimit: 9000,
    Pacing: 1,
    Flights: [
      { Start: day(-2), End: day(11), Impressions: 400_000 },
      { Start: day(19), End: day(32), Impressions: 500_000, Spend: 1800 },
    ],
    MediaUrl: url(filmPath),
    Mime: 'video/mp4',
    Duration: 10,
    Width: 640,
    Height: 360,
    ClickUrl: url(landingPath),
    AdDomain: 'atlasoutdoor.example',
    IabCategory: 'IAB17',
  })),
  demoRow('Campaign', 'Atlas banner', (id) => ({
    AdvertiserId: id('Atlas'),
    Name: 'Atlas boots banner',
    Type: 2,
    Cpm: 1.1,
    SpendDailyLimit: 60,
    TimeZone: 'Europe/Berlin',
    Hours: shoppingHours,
    HoursOf: 1,
    Width: 300,
    Height: 250,
    Html: '<a href="https://atlasoutdoor.example/boots"><img src="https://cdn.atlasoutdoor.example/boots-300x250.png" width="300" height="250" alt="Boots"></a>',
    ClickUrl: 'https://atlasoutdoor.example/boots',
    Countries: [{ CC: 'US' }, { CC: 'BR' }, { CC: 'DE' }],
    AdDomain: 'atlasoutdoor.example',
    IabCategory: 'IAB17',
  })),
  demoRow('Campaign', 'Atlas pop', (id) => ({
    AdvertiserId: id('Atlas'),
    Name: 'Atlas sale',
    Type: 3,
    Cpm: 0.9,
    SpendDailyLimit: 25,
    FrequencyCap: 3,
    FrequencyHours: 24,
    FrequencyMinMinutes: 30,
    FrequencyKey: 2,
    ClickUrl: 'https://atlasoutdoor.example/sale',
    AdDomain: 'atlasoutdoor.example',
    Tags: [id('Trial')],
  })),
];
