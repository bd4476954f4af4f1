import { placement } from '../demand/examples.ts';
import { type Case, file, film, inLine, linear, wrapper } from './judge-cases.ts';

const overlay = inLine(
  '<Creatives><Creative><NonLinearAds><NonLinear><HTMLResource>h</HTMLResource></NonLinear></NonLinearAds></Creative></Creatives>',
);
const newer = film.replace('3.0', '4.2');
const playing = (...protocols: number[]) => ({ video: { ...placement, protocols } });

/** Cases of the rules on what a VAST document holds, and in which version. */
export const vastCases: Readonly<Record<string, readonly Case[]>> = {
  'an ad that could be played': [
    ['an overlay', {}, { markup: overlay }, {}, undefined],
    ['a wrapper', {}, { markup: wrapper }, {}, undefined],
    [
      'beside one that could not',
      {},
      { markup: film.replace('<Ad>', '<Ad><InLine/></Ad><Ad>') },
      {},
      undefined,
    ],
    ...Object.entries({
      'no creatives': inLine(),
      'a creative of nothing': inLine('<Creatives><Creative/></Creatives>'),
      'companions alone': inLine('<Creatives><Creative><CompanionAds/></Creative></Creatives>'),
      'a mezzanine file alone': linear('<MediaFiles><Mezzanine>https://m.example/</Mezzanine></MediaFiles>'),
      'media in an extension': inLine(`<Extensions><Extension>${file}</Extension></Extensions>`),
      'media without a URL': linear('<MediaFiles><MediaFile type="video/mp4"/></MediaFiles>'),
    }).map(
      ([name, markup]): Case => [
        name,
        {},
        { markup },
        {},
        { reason: 'invalid_creative', wanted: '<MediaFile> or <NonLinear>', met: 'InLine without media' },
      ],
    ),
    [
      'a wrapper of nothing',
      {},
      { markup: wrapper.replace('https://x.example/', '') },
      {},
      { reason: 'invalid_creative', wanted: '<VASTAdTagURI>', met: 'Wrapper without a URL' },
    ],
  ],
  'the versions that the player takes': [
    ['its own', {}, { markup: newer }, playing(13), undefined],
    ['an older one, to which it is served down', {}, { markup: newer }, playing(2, 3), undefined],
    ['a newer one alone', {}, { markup: film }, playing(7), undefined],
    ['none is told', {}, { markup: newer }, playing(), undefined],
    ['those of wrappers, who play InLine ads too', {}, { markup: newer }, playing(6), undefined],
    ['no VAST', {}, { markup: film }, playing(9), { reason: 'incorrect_format', field: 'protocols', wanted: [9], met: 'VAST 3.0' }],
    ['VAST 1 alone', {}, { markup: film }, playing(1, 4), { reason: 'incorrect_format', field: 'protocols' }],
    ['one without a place for overlays', { Version: 1 }, { markup: overlay }, playing(7), { reason: 'incorrect_format', field: 'Version', wanted: [7] }],
    ['wrappers', {}, { markup: wrapper }, playing(3, 6), undefined],
    ['wrappers of another version', {}, { markup: wrapper }, playing(3, 5), undefined],
    ['no wrappers', {}, { markup: wrapper }, playing(2, 3, 7), { reason: 'not_inline', field: 'protocols', wanted: [2, 3, 7], met: 'VAST 3.0, Wrapper' }],
    ['DAAST', {}, { media: 'audio', markup: '<DAAST version="1.0"></DAAST>' }, { media: 'audio', ...playing(9) }, undefined],
    ['no DAAST', {}, { media: 'audio', markup: '<DAAST version="1.0"></DAAST>' }, { media: 'audio', ...playing(2, 3) }, { reason: 'incorrect_format', field: 'protocols', met: 'DAAST' }],
  ], // biome-ignore format: a table
  VastInlineOnly: [
    ['an InLine', { VastInlineOnly: 1 }, { markup: film }, {}, undefined],
    [
      'a wrapper',
      { VastInlineOnly: 1 },
      { markup: wrapper },
      {},
      { reason: 'not_inline', field: 'VastInlineOnly', wanted: 'InLine', met: 'Wrapper' },
    ],
    [
      'a wrapper beside an InLine',
      { VastInlineOnly: 1 },
      { markup: film.replace('<Ad>', '<Ad><Wrapper/></Ad><Ad>') },
      {},
      { reason: 'not_inline' },
    ],
    ['a wrapper where it is allowed', { VastInlineOnly: 0 }, { markup: wrapper }, {}, undefined],
  ],
};
