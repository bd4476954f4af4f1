import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type MockDsp, startMockDsp } from '../exchange/mock-dsp.ts';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';

const loads = ['/image', '/script', '/fetched', '/style', '/frame', '/refreshed', '/object', '/ping'];

let room: ConsoleRoom;
let dsp: MockDsp;
let place: Stored;

/** A banner that calls home in every way that a page can. */
const markupOf = (
  url: string,
) => `<p>Buy shoes</p><img src="${url}/image"><script src="${url}/script"></script>
<script>fetch('${url}/fetched'); navigator.sendBeacon('${url}/ping'); location = '${url}/refreshed';</script>
<style>@import url(${url}/style); p { background: url(${url}/image) }</style><iframe src="${url}/frame"></iframe>
<meta http-equiv="refresh" content="0;url=${url}/refreshed"><object data="${url}/object"></object>`;

before(async () => {
  room = await openConsoleRoom({ allowPrivateDemand: true });
  dsp = await startMockDsp();
  dsp.answer('/rtb', ({ body }) => {
    const { id, imp } = JSON.parse(body) as { id: string; imp: readonly { readonly id: string }[] };
    const bid = { id: 'b', impid: imp[0]?.id, price: 5, adm: markupOf(dsp.url), adomain: ['shoes.example'] };
    return { body: JSON.stringify({ id, seatbid: [{ bid: [bid] }] }) };
  });
  const owner = await room.add('publisher', 'Publisher', publisher);
  const advertiser = { ...publisher, Username: 'buyer' };
  const { Id: AdvertiserId } = await room.add('advertiser', 'Advertiser', advertiser);
  const demand = { AdvertiserId, Name: 'Shoes', BannerEnabled: 1, ZoneUrlUsEast: `${dsp.url}/rtb` };
  const { Id } = await room.add('ortb/dsprtbep', 'DspRtbEp', demand);
  const values = { PublisherId: owner.Id, Name: 'Top', Tmax: 5000, DspRtbEps: [Id] };
  place = await room.add('bannerep', 'BannerEp', values);
});
after(async () => {
  await room.close();
  await dsp.close();
});

const loaded = () => loads.filter((path) => dsp.calls(path).length > 0);

test('a tested banner calls nobody until the user wants it to', async () => {
  const { page } = await room.visit(`/console/BannerEp/${place.Id}/test`);
  await page.getByRole('button', { name: 'Run a test' }).click();
  const player = page.frameLocator('iframe[title="The ad in a player"]');
  await player.getByText('Shown.').first().waitFor();
  // Whatever loads would have been asked for by now: the calls of a second banner come after them.
  await page.getByRole('button', { name: 'Test again' }).click();
  await player.getByText('Shown.').first().waitFor();
  assert.deepEqual(loaded(), []);
  await page.getByRole('button', { name: 'Show it live' }).click();
  await dsp.call('/image');
});
