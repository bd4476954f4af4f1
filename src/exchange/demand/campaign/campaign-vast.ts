import type { SettingsOf } from '../../../entities/kinds.ts';
import { inLineVast, type OwnVersion } from '../../../protocols/vast/build-vast.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { VastDocument, VastFault } from '../../../protocols/vast/vast-document.ts';

/** Stand in for media without type or size: the schema wants them, and players scale anyway. */
const commonType = 'video/mp4';
const commonSize = { width: 640, height: 360 };

/** A campaign's InLine ad, parsed in advance; trackers and our click come later. */
export function campaignVast(
  id: number,
  creative: SettingsOf<'Campaign'>,
  version: OwnVersion,
): VastDocument | VastFault {
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
