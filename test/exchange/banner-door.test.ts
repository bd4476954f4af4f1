import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from './ask.ts';
import { type ExchangeRoom, openExchange, type Stored, zoneUrl } from './exchange-room.ts';
import { type Partner, startPartner } from './partner.ts';

let room: ExchangeRoom;
let partner: Partner;

/** What of a bid request the DSP puts into its banner. */
interface AskedBanner {
  readonly id: string;
  readonly imp: readonly [{ readonly banner: { readonly pos?: number } }];
}

const clickUrl = 'https://brand.example/offer?a=1&b=2';
const site = 'https://news.example/page';
const html = `<a href="${clickUrl.replace('&', '&amp;')}"><img src="https://brand.example/offer.png" alt=""></a>`;

const addBanner = (values: object) => room.add('bannerep', { Tmax: 2000, ...values });
const addCampaign = (values: object = {}) =>
  room.add('campaign', {
    Type: 2,
    Cpm: 4,
    ClickUrl: clickUrl,
    Html: html,
    Width: 300,
    Height: 250,
    ...values,
  });

/** The tracker of that name in a page. */
const tracker = (page: string, event: string) =>
  new RegExp(`${room.server.url}/track/${event}\\?t=[\\w.:~-]+`).exec(page)?.[0] ?? '';

before(async () => {
  room = await openExchange();
  partner = await startPartner({
    '/rtb': (response, request) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { id, imp } = JSON.parse(Buffer.concat(parts).toString()) as AskedBanner;
        const bid = {
          id: 'b1',
          impid: '1',
          price: 3,
          adm: `<p id="${id}" data-pos="${imp[0].banner.pos}">rtb at \${AUCTION_PRICE}</p>`,
          w: 300,
          h: 250,
          burl: `${partner.url}/burl?p=\${AUCTION_PRICE}`,
        };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id, cur: 'USD', seatbid: [{ bid: [bid] }] }));
      });
    },
  });
});
after(async () => {
  await partner.close();
  await room.close();
});

describe('a Banner EP with a campaign', () => {
  test("gives the winner's HTML, counts its impression once, and leads clicks on", async () => {
    const banner = await addBanner({
      Bidfloor: 1,
      PublisherProfitShare: 50,
      Campaigns: [(await addCampaign()).Id],
    });
    await room.served();
    const { status, headers, text } = await ask(
      zoneUrl(banner, { site_url: site, width: '300', height: '250' }),
    );
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/html/);
    // A stranger's script must not run in the origin of the exchange.
    assert.match(String(headers['content-security-policy']), /^sandbox (?!.*allow-same-origin)/);
    assert.match(text, /<img src="https:\/\/brand\.example\/offer\.png"/);
    assert.doesNotMatch(text, /offer\?a=1/);
    for (const _ of [1, 2]) assert.equal((await ask(tracker(text, 'impression'))).status, 200);
    assert.equal((await ask(tracker(text, 'click'))).headers.location, clickUrl);
    const row = await room.statistics(banner, ({ Requests }) => Requests === 1);
    const { Bids, Wins, Bills, NetImpressions, Clicks, Spent } = row;
    assert.deepEqual([Bids, Wins, Bills, NetImpressions, Clicks, Spent], [1, 1, 1, 1, 1, 0.0025]);
  });

  interface Case {
    readonly name: string;
    readonly campaign?: object;
    readonly banner?: object;
    readonly macros?: Readonly<Record<string, string>>;
    readonly url?: (banner: Stored) => string;
    readonly page?: RegExp;
  }
  const cases: readonly Case[] = [
    { name: 'HTML that links nowhere is one link', campaign: { Html: '<p>Hello</p>' }, page: /<a href="[^"]*\/track\/click\?t=[^"]*" target="_blank" rel="noopener"><p>Hello<\/p><\/a>/ },
    { name: 'a link in a script in an attribute', campaign: { Html: `<i onclick="window.open('${clickUrl}')">x</i>` }, page: /<i onclick="window\.open\('[^"']*\/track\/click\?t=[^"']*'\)">x<\/i>/ },
    { name: 'HTML that links elsewhere stays', campaign: { Html: '<a href="https://other.example/">x</a>' }, page: /<a href="https:\/\/other\.example\/">x<\/a>/ },
    { name: 'HTML without a ClickUrl stays', campaign: { Html: '<p>$& Hi</p>', ClickUrl: '' }, page: />\n?<p>\$& Hi<\/p><\/body>/ },
    { name: 'unfinished HTML cannot hide the pixel', campaign: { Html: '<a><!-- ' }, page: /<body><img src="[^"]*\/track\/impression/ },
    { name: 'a video', campaign: { Type: 1, MediaUrl: 'https://cdn.example/a.mp4' } },
    { name: 'another size', macros: { width: '728', height: '90' } },
    { name: 'a size that is not listed', banner: { SizesListMode: 1, SizesList: ['728x90'] }, macros: { width: '300', height: '250' } },
    { name: 'an insecure picture', banner: { Secure: 1 }, campaign: { Html: '<img src="http://brand.example/a.png">' } },
    { name: 'a blocked advertiser', banner: { AdDomainsBrandsBlacklist: 'brand.example' } },
    { name: 'a wrong auth', url: (banner) => zoneUrl(banner).replace(/auth=[^&]+/, 'auth=wrong') },
    { name: 'no query', url: () => `${room.server.url}/banner` },
  ]; // biome-ignore format: a table
  for (const {
    name,
    campaign,
    banner: values,
    macros = {},
    url = (banner: Stored) => zoneUrl(banner, macros),
    page,
  } of cases) {
    test(page ? name : `${name}: 204`, async () => {
      const banner = await addBanner({ Campaigns: [(await addCampaign(campaign)).Id], ...values });
      await room.served();
      const { status, text } = await ask(url(banner));
      assert.equal(status, page ? 200 : 204);
      if (page) assert.match(text, page);
      else assert.equal(text, '');
    });
  }
});

test('an impression counts, however long the values that it was asked with', async () => {
  const banner = await addBanner({ Campaigns: [(await addCampaign()).Id] });
  await room.served();
  const long = 'a'.repeat(8_000);
  const { text } = await ask(zoneUrl(banner, { app_bundle: `com.${long}` }));
  await ask(tracker(text, 'impression'));
  assert.equal((await room.statistics(banner)).Bills, 1);
});

test('a click on an address beyond ASCII is sent on in ASCII', async () => {
  const ClickUrl = 'https://brand.example/ü/😀';
  const banner = await addBanner({ Campaigns: [(await addCampaign({ ClickUrl, Html: '<p>Hi</p>' })).Id] });
  await room.served();
  const { text } = await ask(zoneUrl(banner));
  assert.equal((await ask(tracker(text, 'click'))).headers.location, new URL(ClickUrl).href);
});

test('explains requests to a Banner EP', async () => {
  const banner = await addBanner({ Campaigns: [(await addCampaign()).Id] });
  await room.served();
  const Url = zoneUrl(banner, { width: '728', height: '90' });
  const { Candidates } = await room.call('exchange/explain', {
    BannerEp: { Id: banner.Id },
    Request: { Url },
  });
  const [candidate] = Candidates as readonly Stored[];
  assert.deepEqual([candidate?.Outcome, candidate?.Rule], ['refused', 'size_not_allowed']);
  await ask(Url);
  const auctions = await room.call(`exchange/auctions?BannerEp=${banner.Id}`);
  assert.equal((auctions as unknown as readonly Stored[])[0]?.Id, banner.Id);
});

describe('the referer of a frame is held against the flags when it asks', () => {
  const cases = [
    { name: 'the right one', flags: { NonEmptyReferer: 1, RefererMatch: 1 }, headers: { referer: site }, status: 200, bills: 1 },
    { name: 'that of another site', flags: { RefererMatch: 1 }, headers: { referer: 'https://other.example/' }, status: 204, bills: 0 },
    { name: 'none: a server asks, and its page must tell', flags: { NonEmptyReferer: 1 }, headers: {}, status: 200, bills: 0 },
  ] as const; // biome-ignore format: a table
  for (const { name, flags, headers, status, bills } of cases) {
    test(name, async () => {
      const banner = await addBanner({ Campaigns: [(await addCampaign()).Id], ...flags });
      await room.served();
      const page = await ask(zoneUrl(banner, { site_url: site }), headers);
      assert.equal(page.status, status);
      // As from a sandboxed frame: without a referer.
      if (status === 200) await ask(tracker(page.text, 'impression'));
      const { Bills } = await room.statistics(banner, ({ Requests }) => Requests === 1);
      assert.equal(Bills, bills);
    });
  }

  test('a banner that is not shown leaves its impression to the next', async () => {
    const banner = await addBanner({
      Campaigns: [(await addCampaign()).Id],
      RefererMatch: 1,
      ImpressionsDailyLimit: 1,
    });
    await room.served();
    const statuses: number[] = [];
    for (const referer of ['https://other.example/', site, site]) {
      statuses.push((await ask(zoneUrl(banner, { site_url: site }), { referer })).status);
    }
    assert.deepEqual(statuses, [204, 200, 204]);
  });

  test("a server's page tells it by its pixel", async () => {
    const banner = await addBanner({
      Campaigns: [(await addCampaign()).Id],
      RefererMatch: 1,
      NonEmptyReferer: 1,
    });
    await room.served();
    const { text } = await ask(zoneUrl(banner, { site_url: site }));
    await ask(tracker(text, 'impression'), { referer: 'https://other.example/' });
    assert.equal((await room.statistics(banner)).Bills, 0);
    await ask(tracker(text, 'impression'), { referer: site });
    assert.equal((await room.statistics(banner)).Bills, 1);
  });
});

test('a DSP RTB EP wins with its macros filled, and is billed when the banner is shown', async () => {
  const dsp = await room.add('ortb/dsprtbep', { ZoneUrlUsEast: `${partner.url}/rtb`, BannerEnabled: 1 });
  const banner = await addBanner({ DspRtbEps: [dsp.Id] });
  await room.served();
  const { text } = await ask(zoneUrl(banner, { site_url: site, width: '300', height: '250', pos: '5' }));
  assert.match(text, /<p id="[\w-]+" data-pos="5">rtb at 3<\/p>/);
  assert.equal(tracker(text, 'click'), '');
  const seen = partner.seen.length;
  await ask(tracker(text, 'impression'));
  while (partner.seen.length === seen) await new Promise(setImmediate);
  assert.equal(partner.seen.at(-1)?.url, '/burl?p=3');
});
