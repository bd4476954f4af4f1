import { tokenCharactersMax } from '../../trackers/tokens.ts';
import { isFeedClick, type TrackedAd } from '../../trackers/tracked-ad.ts';
import { beforeExpiryMs } from '../../trackers/tracker-door.ts';
import { openTrackerUrl } from '../../trackers/tracker-url.ts';
import { zoneQuery } from '../query.ts';
import { clickPath } from './click-url.ts';
import { sendBack, sendOn } from './send-on.ts';
import { type Lead, visitorDoor } from './visitor-door.ts';

/** Sends visitors on while their token lives and `isOwn` accepts its ad; else back. */
const follow =
  (tokenOf: (url: string) => string, isOwn: (ad: TrackedAd) => boolean): Lead =>
  async (request, response, context) => {
    const url = request.url ?? '';
    const token = tokenOf(url);
    const ad = context.tokens.read(token, beforeExpiryMs);
    const supply = ad && context.snapshot().supply(ad.supply.kind, ad.supply.id);
    const isLive = ad && isOwn(ad) && context.services.now() < ad.expiresMs;
    if (!isLive) return sendBack(response, supply);
    const jsAnswer = zoneQuery(url).text('js');
    await sendOn({ ad, token, jsAnswer, request, response, context });
  };

/** `/click/<token>`: sends a feed's visitor on to the advertiser, within ten minutes of the auction. */
export const clickDoor = visitorDoor(
  clickPath,
  follow((url) => url.slice(clickPath.length).split('?', 1)[0] ?? '', isFeedClick),
);

const [openUrl = ''] = openTrackerUrl('', 'open');

/** `/track/open?t=<token>`: the same for a pop that was offered in somebody else's auction. */
export const openDoor = visitorDoor(
  openUrl.slice(0, openUrl.indexOf('?')),
  follow(
    (url) => zoneQuery(url).text('t', tokenCharactersMax),
    (ad) => ad.landing !== '' && !isFeedClick(ad),
  ),
);
