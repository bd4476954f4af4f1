import { programVersion } from '../../program-version.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { sessionCookieName } from '../http/session-cookie.ts';
import type { Links } from '../present.ts';
import { collectComponents } from './components.ts';
import { headerComponents } from './headers.ts';
import { type DocumentContext, operationOf } from './operation.ts';
import type { Json } from './published-schema.ts';

const introduction = `The management API of an advertising exchange: publishers and what they sell,
advertisers and what they buy, and the connections between them.

Log in with \`POST /api/auth/login\`, and send the token with every call: \`Authorization: Bearer <token>\`.

- Bodies of POSTs are JSON objects with exactly one key, which names the kind of object.
- A POST that succeeds returns \`{ "Status": "Ok", "<key>": { … } }\`; a fetch returns the bare object or array.
- A call that fails returns \`{ "Status": "Error", "Error": "…", "Errors": [ … ] }\`, with every fault and its path.
- Flags are 0 or 1. A limit of 0 means no limit, unless the field says otherwise. Types are strict; \`null\` is refused.
- An unknown path returns 404, a known path with another method 405.
- Operations marked \`x-extension\` are Bourse's own; other servers with this interface may lack them.`;

function tagsOf(endpoints: readonly Endpoint[]): Json[] {
  return [...new Map(endpoints.map(({ tag }) => [tag.name, { ...tag }])).values()];
}

function pathsOf(endpoints: readonly Endpoint[], writing: DocumentContext): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const methods = ownMember(paths, endpoint.path) ?? {};
    setOwnMember(methods, endpoint.method.toLowerCase(), operationOf(endpoint, writing));
    setOwnMember(paths, endpoint.path, methods);
  }
  return paths;
}

/** OpenAPI 3.1, with these links. */
export function openApiDocument(endpoints: readonly Endpoint[], links: Links): Json {
  const components = collectComponents();
  const paths = pathsOf(endpoints, { components, links });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bourse management API',
      version: programVersion(),
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: links.consoleUrl ?? links.baseUrl, description: 'This installation' }],
    security: [{ Bearer: [] }, { Console: [] }],
    tags: tagsOf(endpoints),
    paths,
    components: {
      securitySchemes: {
        Bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key' },
        Console: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName,
          description: 'A session of the console; it is valid only with the header Bourse-Console: 1',
        },
      },
      headers: headerComponents,
      ...components.collected(),
    },
  };
}
