import { zoneQuery } from '../../reading/query.ts';
import { tokenCharactersMax } from '../../trackers/token-sealer.ts';
import { isLive, objectsOf, readTrackerCall } from '../../trackers/tracker-call.ts';
import { openTrackerUrl } from '../../trackers/tracker-url.ts';
import { clickPath } from './click-url.ts';
import { redirectVisit, sendBack } from './send-on.ts';
import { type RedirectVisitor, visitorEndpoint } from './visitor-endpoint.ts';

/** Sends visitors on while their token of that type is valid; else back. */
const follow =
  (type: 'click' | 'open', tokenOf: (url: string) => string): RedirectVisitor =>
  async (request, response, context) => {
    const url = request.url ?? '';
    const token = tokenOf(url);
    const call = readTrackerCall(type, token, request, context);
    if (!call || !isLive(call)) return sendBack(response, call && objectsOf(call).supply);
    await redirectVisit({ ...call, token, jsAnswer: zoneQuery(url).text('js'), response });
  };

/** `/click/<token>`: sends a feed's visitor to the advertiser, within ten minutes of the auction. */
export const clickEndpoint = visitorEndpoint(
  clickPath,
  follow('click', (url) => url.slice(clickPath.length).split('?', 1)[0] ?? ''),
);

const [openUrl = ''] = openTrackerUrl('', 'open');

export const openEndpoint = visitorEndpoint(
  openUrl.slice(0, openUrl.indexOf('?')),
  follow('open', (url) => zoneQuery(url).text('t', tokenCharactersMax)),
);
