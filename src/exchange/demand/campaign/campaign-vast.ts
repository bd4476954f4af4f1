import { inLineVast, type VastVersion } from '../../../protocols/vast/build-vast.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { VastDocument, VastFault } from '../../../protocols/vast/vast-document.ts';
import type { Creative } from './creative.ts';

/** What media are said to be where the campaign does not tell, as the schema wants it told: players scale them. */
const commonType = 'video/mp4';
const commonSize = { width: 640, height: 360 };

/**
 * A campaign's InLine ad, read back so that auctions only put their own trackers in. It has none yet, and its click
 * leads to the advertiser.
 */
export function campaignVast(id: number, creative: Creative, version: VastVersion): VastDocument | VastFault {
  const { MediaUrl, Mime, Width, Height, IabCategory } = creative;
  const size = Width > 0 && Height > 0 ? { width: Width, height: Height } : commonSize;
  const text = inLineVast(version, {
    id: String(id),
    adSystem: 'Bourse',
    title: creative.Name,
    advertiser: creative.AdDomain,
    categories: IabCategory === '' ? [] : [IabCategory],
    creativeId: String(id),
    durationSeconds: creative.Duration,
    media: [{ url: MediaUrl, type: Mime || commonType, delivery: 'progressive', ...size }],
    clickThrough: creative.ClickUrl,
  });
  return readVast(text);
}
