import { zoneQuery } from '../../reading/query.ts';
import { isLive, objectsOf, readReport } from '../../trackers/report.ts';
import { tokenCharactersMax } from '../../trackers/sealing.ts';
import { openTrackerUrl } from '../../trackers/tracker-url.ts';
import { clickPath } from './click-url.ts';
import { sendBack, sendOn } from './send-on.ts';
import { type Lead, visitorDoor } from './visitor-door.ts';

/** Sends visitors on while their token, of that type, lives; else back. */
const follow =
  (type: 'click' | 'open', tokenOf: (url: string) => string): Lead =>
  async (request, response, context) => {
    const url = request.url ?? '';
    const token = tokenOf(url);
    const report = readReport(type, token, request, context);
    if (!report || !isLive(report)) return sendBack(response, report && objectsOf(report).supply);
    await sendOn({ ...report, token, jsAnswer: zoneQuery(url).text('js'), response });
  };

/** `/click/<token>`: sends a feed's visitor on to the advertiser, within ten minutes of the auction. */
export const clickDoor = visitorDoor(
  clickPath,
  follow('click', (url) => url.slice(clickPath.length).split('?', 1)[0] ?? ''),
);

const [openUrl = ''] = openTrackerUrl('', 'open');

/** `/track/open?t=<token>`: the same for a pop that was offered in somebody else's auction. */
export const openDoor = visitorDoor(
  openUrl.slice(0, openUrl.indexOf('?')),
  follow('open', (url) => zoneQuery(url).text('t', tokenCharactersMax)),
);
