import { type OwnVersion, vastNamespace } from '../../../src/protocols/vast/build-vast.ts';

/** A document with the least wrapper that a DSP may send; the schema's impression is for trackers to add. */
export function wrapperVast(version: OwnVersion, url: string): string {
  // 3.0 requires the element and lets it be empty.
  const [xmlns, creatives] =
    version === '3.0' ? ['', '<Creatives></Creatives>'] : [` xmlns="${vastNamespace}"`, ''];
  return `<VAST version="${version}"${xmlns}><Ad><Wrapper><AdSystem>x</AdSystem>\
<VASTAdTagURI><![CDATA[${url}]]></VASTAdTagURI>${creatives}</Wrapper></Ad></VAST>`;
}
