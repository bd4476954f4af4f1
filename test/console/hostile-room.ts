import { type MockDsp, startMockDsp } from '../exchange/mock-dsp.ts';
import type { ConsoleRoom } from './console-room.ts';
import { countRequests, openDemoRoom } from './filled-room.ts';

/** Markup that would leave a trace where it became elements. */
const markup = `"><img data-owned src=x onerror="document.title='owned'"><script>document.title='owned'</script>{{7*7}}`;
/** Turns what follows it around (UAX #9), unless that is kept apart. */
const turned = '\u202egnp.exe \u05e9\u05dc\u05d5\u05dd';
const long = 'W'.repeat(200);

/** What somebody names things who means no good. */
export const hostileNames: readonly string[] = [
  `${markup}${turned}`,
  long,
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'NaN',
  '[object Object]',
];

const [worst = ''] = hostileNames;
const renamed = {
  'ortb/vasttag': ['VastTag', 3],
  'ortb/dsprtbep': ['DspRtbEp', 2],
  'ortb/dspvasttag': ['DspRtbEp', 2],
  publisher: ['Publisher', 2],
  advertiser: ['Advertiser', 2],
  campaign: ['Campaign', 3],
  domainlist: ['DomainList', 2],
  floorrule: ['FloorRule', 1],
  report: ['Report', 1],
  alert: ['Alert', 1],
} as const;

const vast = `<VAST version="3.0"><Ad id="1"><InLine><AdSystem>${long}</AdSystem><AdTitle><![CDATA[${worst}]]></AdTitle>
<Impression><![CDATA[https://pixel.example/?${encodeURIComponent(worst)}]]></Impression><Creatives></Creatives></InLine></Ad></VAST>`;

/** Answers of partners: a bid that wins, and a fault with a page of its own. */
function answer(dsp: MockDsp): void {
  dsp.answer('/bid', ({ body }) => {
    const { id, imp } = JSON.parse(body) as { id: string; imp: readonly { readonly id: string }[] };
    const bid = { id: worst, impid: imp[0]?.id, price: 50, adm: vast, crid: worst, adomain: [worst] };
    return { body: JSON.stringify({ id, seatbid: [{ seat: worst, bid: [bid] }] }) };
  });
  dsp.answer('/fault', () => ({ status: 500, body: `${worst}${long.repeat(20)}` }));
}

/** The demonstration, renamed by somebody who means no good, with partners of that kind. */
export async function openHostileRoom(): Promise<ConsoleRoom> {
  const room = await openDemoRoom({ allowPrivateDemand: true });
  const dsp = await startMockDsp();
  answer(dsp);
  for (const [path, [wrapper, count]] of Object.entries(renamed)) {
    for (let Id = 1; Id <= count; Id += 1) {
      // The first of each, which most screens show, has the worst of all; the others differ.
      const Name = Id === 1 ? worst : hostileNames[(Id * 3 + path.length) % hostileNames.length];
      await room.api(`/api/${path}/update`, { [wrapper]: { Id, Name } });
    }
  }
  for (const [Id, path] of [
    [1, '/bid'],
    [2, '/fault'],
  ] as const) {
    const DspRtbEp = { Id, ZoneUrlUsEast: `${dsp.url}${path}`, Countries: [], Status: 0 };
    await room.api('/api/ortb/dsprtbep/update', { DspRtbEp });
  }
  await countRequests(room);
  await room.api('/api/keywordlist/update', { KeywordList: { Id: 1, ListText: hostileNames.join('\n') } });
  await room.api('/api/auth/apikey/add', { ApiKey: { Label: markup.slice(0, 90) } });
  await room.api('/api/auth/user/update', { Id: 1, FirstName: markup, LastName: turned });
  return {
    ...room,
    async close() {
      await room.close();
      await dsp.close();
    },
  };
}
