import { type ApiRequest, withQuery } from '../api/call.ts';

/** Members of bodies that somebody types and nobody else is to read. */
const secrets: ReadonlySet<string> = new Set(['Password', 'NewPassword', 'Code']);

/** A body without what was typed in secret; each of those is there by its name. */
const shownBody = (body: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, secrets.has(name) ? `<${name}>` : value]),
  );

const jsonOf = (value: unknown) => JSON.stringify(value, undefined, 2);
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const urlOf = (path: string) => new URL(path, document.baseURI).href;
const isFetch = ({ body, form }: ApiRequest) => body === undefined && form === undefined;

/** What is said of a query; what is left out is not. */
const saidOf = (query: ApiRequest['query'] = {}) =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );

function sentByCurl({ query, body, form, file }: ApiRequest): readonly string[] {
  if (form) {
    return [
      ...Object.entries(form).map(([name, value]) => `--form-string ${quoted(`${name}=${value}`)}`),
      ...(file ? [`-F ${quoted(`${file.member}=@"${file.name.replace(/["\\]/g, '\\$&')}"`)}`] : []),
    ];
  }
  if (body && file) return ['--data-binary @-'];
  if (body) return [`-d ${quoted(jsonOf(shownBody(body)))}`];
  return saidOf(query).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
}

export function curlOf(request: ApiRequest): string {
  const { path, query, body, file, headers = {} } = request;
  const isAsked = isFetch(request) && saidOf(query).length > 0;
  const url = urlOf(isFetch(request) ? path : withQuery(path, query));
  const call = [
    `curl ${isAsked ? '-G ' : ''}${quoted(url)}`,
    '-H "Authorization: Bearer $BOURSE_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...sentByCurl(request),
  ].join(' \\\n  ');
  if (!(body && file)) return call;
  return `{ printf '{"${file.member}":'; cat ${quoted(file.name)}; printf '}'; } |\n${call}`;
}

/** A JavaScript value whose members of these names are expressions. */
function objectText(values: Readonly<Record<string, unknown>>, expressions: readonly string[]): string {
  const members = [
    ...Object.entries(values).map(([name, value]) => `${JSON.stringify(name)}: ${jsonOf(value)}`),
    ...expressions,
  ];
  return members.length === 0 ? '{}' : `{\n  ${members.join(',\n').replaceAll('\n', '\n  ')},\n}`;
}

function sentByClient({ query, body, form, file, headers }: ApiRequest): string {
  const said = saidOf(query);
  const params = [
    ...(headers ? [`header: ${objectText(headers, [])}`] : []),
    ...(said.length > 0 ? [`query: ${objectText(Object.fromEntries(said), [])}`] : []),
  ];
  const content = file && `readFileSync(${JSON.stringify(file.name)}`;
  const read = form ? `new Blob([${content})])` : `JSON.parse(${content}, 'utf8'))`;
  const own = form ?? (body && shownBody(body));
  const sent = [
    ...(params.length > 0 ? [`params: ${objectText({}, params)}`] : []),
    ...(own ? [`body: ${objectText(own, file ? [`${file.member}: ${read}`] : [])}`] : []),
    ...(form ? ['bodySerializer: asForm'] : []),
  ];
  return sent.length === 0 ? '' : `, ${objectText({}, sent)}`;
}

export function clientOf(request: ApiRequest): string {
  const { path, form, file } = request;
  const method = isFetch(request) ? 'GET' : 'POST';
  const names = ['answerOf', ...(form ? ['asForm'] : []), 'createBourseClient'].join(', ');
  const baseUrl = JSON.stringify(urlOf('.').replace(/\/$/, ''));
  return [
    ...(file ? ["import { readFileSync } from 'node:fs';"] : []),
    `import { ${names} } from 'bourse/client';`,
    '',
    `const bourse = createBourseClient({ baseUrl: ${baseUrl}, token: process.env.BOURSE_TOKEN ?? '' });`,
    `const answer = await answerOf(bourse.${method}('/${path}'${sentByClient(request)}));`,
    'console.log(answer);',
  ].join('\n');
}
