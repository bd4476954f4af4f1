import { describe, test } from 'node:test';
import { loadsInsecurely } from '../../../src/protocols/insecure-url.ts';
import { joinAds } from '../../../src/protocols/vast/join-ads.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';
import { assertGrowsEvenly } from '../../support/work-bound.ts';

/** As much as is read of a stranger, made of one part again and again. */
const much = (part: string) => part.repeat(Math.floor(250_000 / part.length));
const ad = (inside: string, attributes = '') =>
  `<VAST><Ad${attributes}><InLine>${inside}</InLine></Ad></VAST>`;

/** Texts on which a careless expression or parser takes time that grows with the square of their length: minutes. */
const texts: Readonly<Record<string, string>> = {
  'links without end': ad(`<HTMLResource><![CDATA[http:${much('<link ')}]]></HTMLResource>`),
  'space behind href': ad(`<HTMLResource><![CDATA[http: href=${much(' ')}]]></HTMLResource>`),
  'href again and again': ad(`<HTMLResource><![CDATA[http: <link ${much('href = ')}]]></HTMLResource>`),
  'a name of many parts': ad(`<Advertiser>${much('a.')}!</Advertiser>`),
  'a long time': ad(
    `<Creatives><Creative><Linear><Duration>${much('1')}:</Duration></Linear></Creative></Creatives>`,
  ),
  'brackets in CDATA': ad(`<AdTitle><![CDATA[${much(']')}]]></AdTitle>`),
  'dashes in a comment': ad(`<!--${much(' - ')}-->`),
  entities: ad(`<AdTitle>${much('&amp;')}</AdTitle>`),
  'entities in an attribute': ad('', ` id="${much('&lt;')}"`),
  'line ends': ad(`<AdTitle>${much('\r\n')}</AdTitle>`),
  'space in a tag': ad('', much(' ')),
  'space in front': `${much(' \ufeff')}${ad('')}`,
};

describe('no text takes long', () => {
  for (const [name, text] of Object.entries(texts)) {
    test(name, () => {
      assertGrowsEvenly(() => {
        const document = readVast(text);
        if (!('fault' in document)) joinAds({ document, trackers: {} }, [{ document, trackers: {} }]);
        loadsInsecurely(text);
      }, name);
    });
  }
});
