import { type Case, file, film, inLine, linear, wrapper } from './judge-cases.ts';

const lasting = (time: string) => ({ markup: linear(`<Duration>${time}</Duration>${file}`) });
const overlay = inLine(
  '<Creatives><Creative><NonLinearAds><NonLinear><HTMLResource>h</HTMLResource></NonLinear></NonLinearAds></Creative></Creatives>',
);
const vpaidFile =
  '<MediaFile apiFramework="VPAID" type="application/javascript">https://cdn.example/v.js</MediaFile>';
const vpaid = linear(`<MediaFiles>${vpaidFile}</MediaFiles>`);
const both = linear(
  `<MediaFiles>${vpaidFile}<MediaFile type="video/mp4">https://cdn.example/a</MediaFile></MediaFiles>`,
);
const refused = (field: string, met: unknown) => ({ reason: 'incorrect_format', field, met });
const film15and30 = { video: { rqddurs: [15, 30] } };
const received = (dur: number) => ({ received: { id: '1', impid: '1', price: 1, dur } });

/** Cases of what a video or audio must be. */
const streamCases: readonly Case[] = [
  ['a length that is required', {}, lasting('00:00:15'), film15and30, undefined],
  ['another one that is', {}, lasting('00:00:30.000'), film15and30, undefined],
  ['a length within a frame', {}, lasting('00:00:15.040'), film15and30, undefined],
  ['a length between two', {}, lasting('00:00:20'), film15and30, refused('rqddurs', 20)],
  ['half a second too long', {}, lasting('00:00:15.5'), film15and30, refused('rqddurs', 15.5)],
  ['required, and too long', {}, lasting('00:00:30'), { video: { rqddurs: [30], maxduration: 15 } }, refused('maxduration', 30)],
  ['no lengths are required', {}, lasting('00:00:20'), { video: { rqddurs: [] } }, undefined],
  ['a wrapper of a length that nobody tells', {}, { markup: wrapper }, film15and30, undefined],
  ['a wrapper whose bid tells a length', {}, { markup: wrapper, ...received(20) }, film15and30, refused('rqddurs', 20)],
  ['the length of the VAST before that of the bid', {}, { ...lasting('00:00:15'), ...received(20) }, film15and30, undefined],
  ['too long by what the bid tells', {}, { markup: wrapper, ...received(20) }, { video: { maxduration: 15 } }, refused('maxduration', 20)],
  ['within the extension', {}, lasting('00:00:20'), { video: { maxduration: 15, maxextended: 5 } }, undefined],
  ['beyond the extension', {}, lasting('00:00:21'), { video: { maxduration: 15, maxextended: 5 } }, refused('maxduration', 21)],
  ['extended without a limit', {}, lasting('00:10:00'), { video: { maxduration: 15, maxextended: -1 } }, undefined],
  ['audio of a length that is not required', {}, { ...lasting('00:00:20'), media: 'audio' }, { media: 'audio', ...film15and30 }, refused('rqddurs', 20)],
  ['an overlay where a film is wanted', {}, { markup: overlay }, { video: { linearity: 1 } }, refused('linearity', 'nonLinear')],
  ['a film where an overlay is wanted', {}, { markup: film }, { video: { linearity: 2 } }, refused('linearity', 'linear')],
  ['an overlay where one is wanted', {}, { markup: overlay }, { video: { linearity: 2 } }, undefined],
  ['a wrapper, of which nobody knows what it shows', {}, { markup: wrapper }, { video: { linearity: 2 } }, undefined],
  ['VPAID for a player of OMID alone', {}, { markup: vpaid }, { video: { api: [7] } }, refused('api', 'VPAID')],
  ['VPAID for its player', {}, { markup: vpaid }, { video: { api: [7, 2] } }, undefined],
  ['VPAID for a player that tells nothing', {}, { markup: vpaid }, {}, undefined],
  ['VPAID beside a plain film', {}, { markup: both }, { video: { api: [7] } }, undefined],
]; // biome-ignore format: a table

/** Markup of each kind, and the medium that takes it. */
export const kinds: readonly (readonly [markup: string, kind: string, taken?: 'banner' | 'video' | 'native'])[] = [
  ['<p>brand</p>', 'HTML', 'banner'],
  ['\ufeff <!doctype html><!-- c --><html><body></body></html>', 'HTML', 'banner'],
  ['<script>document.write("<VAST>")</script>', 'HTML', 'banner'],
  ['Visit us', 'text', 'banner'],
  ['{brand} for all', 'text', 'banner'],
  [film, 'VAST', 'video'],
  [`<?xml version="1.0"?>\n<!-- VAST -->\n${film}`, 'VAST', 'video'],
  ['<vast version="3.0"><Ad>', 'VAST'],
  ['<VideoAdServingTemplate/>', 'VAST'],
  ['<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap"></vmap:VMAP>', 'VMAP'],
  ['<DAAST version="1.0"/>', 'DAAST'],
  ['{"assets":[],"link":{"url":"https://brand.example/"}}', 'JSON', 'native'],
  ['{"native":{"assets":[]}}', 'JSON', 'native'],
  [' {"html":"<p>brand</p>"} ', 'JSON'],
  ['"<p>brand</p>"', 'JSON'],
  ['[]', 'JSON'],
  ['{"assets":[{"id":1,', 'JSON'],
  ['[{"id":1}', 'JSON'],
  ['"Visit" us', 'text', 'banner'],
  ['[Advertisement] Visit us', 'text', 'banner'],
  ['document.write("<p>");', 'a script without its element'],
  ['!function(w,d){}(window,document)', 'a script without its element'],
  ['(() => { })()', 'a script without its element'],
  ['"use strict"; var ad = 1', 'a script without its element'],
  ['Function follows form (1896)', 'text', 'banner'],
  ['Let there = light', 'text', 'banner'],
  ['https://dsp.example/vast?id=1', 'a URL'],
  ['//dsp.example/ad.js', 'a URL'],
  ['%3Ca%20href%3D%22https%3A%2F%2Fbrand.example%22%3E', 'markup that is encoded for a URL'],
  ['%0A%20+%3cVAST', 'markup that is encoded for a URL'],
  ['%7B%22native%22%3A%7B%7D%7D', 'markup that is encoded for a URL'],
  ['&lt;a href=&quot;https://brand.example&quot;&gt;', 'markup that is escaped'],
  ['&#60;VAST&#62;', 'markup that is escaped'],
  ['\\u003ca href=\\"https://brand.example\\"\\u003e', 'markup that is escaped'],
  [Buffer.from('<a href="https://brand.example">x</a>').toString('base64'), 'markup in Base64'],
  [`${Buffer.from('{ "native": { "assets": [] } }').toString('base64').slice(0, 20)}\nfX0=`, 'markup in Base64'],
  ['Extraordinarily-good offers', 'text', 'banner'],
]; // biome-ignore format: a table

const mediaOf = ['banner', 'video', 'native'] as const;
const kindCases = kinds.flatMap(([markup, , taken]) =>
  mediaOf.map(
    (media): Case => [
      `${JSON.stringify(markup.slice(0, 40))} as ${media}`,
      {},
      { markup, media },
      { media },
      media === taken ? undefined : { reason: 'invalid_creative' },
    ],
  ),
);

/** Cases of what ads must be. */
export const formatCases: Readonly<Record<string, readonly Case[]>> = {
  'what a video or audio must be': streamCases,
  'markup is judged by what it is': kindCases,
};
