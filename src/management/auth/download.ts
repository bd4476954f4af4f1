import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { invalid } from '../../fields/fault.ts';
import { everyUser } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { downloadPath, downloadUrl } from '../http/download-link.ts';
import { authTag, tokenExample } from './sessions.ts';

const pathExample = '/api/ortb/vasttag/get?ActiveOnly=1';

/** For what a browser cannot request with a header (reference, A19). */
export const addDownload = defineEndpoint({
  method: 'POST',
  path: '/api/auth/download',
  name: 'addDownload',
  tag: authTag,
  summary: 'Make a download link',
  description:
    'Returns a URL with which the same path can be fetched once, within a minute, as an attachment and without a token: for links in a browser. It has the caller’s permissions, and ends with the session. If a session of the console made it, it works only with that session’s cookie.',
  access: { ...everyUser, isOwn: true },
  accepts: checkedBody({
    schema: closedObject({
      Path: Type.String({
        maxLength: 4096,
        description: 'A path under /api that is fetched with GET, including its query',
      }),
    }),
    example: () => ({ Path: pathExample }),
  }),
  returns: {
    description: 'Done',
    schema: closedObject({
      Status: okStatus,
      Url: Type.String({
        description: 'The path with the link, relative to the URL of this server',
      }),
    }),
    example: () => ({ ...succeeded, Url: downloadUrl(pathExample, tokenExample) }),
  },
  serve:
    ({ identity }) =>
    async ({ caller, body }) => {
      const path = downloadPath(body.Path);
      const Message =
        'must be a path under /api/, like /api/ortb/vasttag/get, that does not contain a link already';
      if (path === undefined) throw invalid([{ Path: 'Path', Code: 'format', Message }]);
      return { ...succeeded, Url: downloadUrl(path, await identity.addDownload(caller, path)) };
    },
});
