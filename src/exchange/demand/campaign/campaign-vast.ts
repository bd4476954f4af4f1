import { inLineVast, type VastVersion } from '../../../protocols/vast/build-vast.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { VastDocument, VastFault } from '../../../protocols/vast/vast-document.ts';
import type { Creative } from './creative.ts';

/**
 * A campaign's InLine ad, read back so that auctions only put their own trackers in. It has none yet, and its click
 * leads to the advertiser.
 */
export function campaignVast(id: number, creative: Creative, version: VastVersion): VastDocument | VastFault {
  const { MediaUrl, Mime, Width, Height, IabCategory } = creative;
  const text = inLineVast(version, {
    id: String(id),
    adSystem: 'Bourse',
    title: creative.Name,
    advertiser: creative.AdDomain,
    categories: IabCategory === '' ? [] : [IabCategory],
    creativeId: String(id),
    durationSeconds: creative.Duration,
    // The schema wants a type; most media are MP4.
    media: [
      { url: MediaUrl, type: Mime || 'video/mp4', delivery: 'progressive', width: Width, height: Height },
    ],
    clickThrough: creative.ClickUrl,
  });
  return readVast(text);
}
