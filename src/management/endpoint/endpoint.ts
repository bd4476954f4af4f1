import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { ReadonlyStatic } from '../../answers/wire-schema.ts';
import type { Answer, Context, IdempotencyKey } from '../context.ts';
import { browserTokenIn } from '../http/session-cookie.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import type { Upload } from '../input/list-upload.ts';
import type { Access } from './access.ts';
import type { RequestBody } from './body.ts';
import type { FailureName } from './failure-kinds.ts';
import type { Media, MediaTable } from './media.ts';
import {
  flag,
  type Parameter,
  type ParameterTable,
  type ParameterValues,
  parameterReader,
} from './parameter.ts';

/** What endpoints that belong together are about. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** What a call is answered with when it succeeds. */
export interface ResponseBody<S extends TSchema = TSchema> extends Media {
  readonly description: string;
  readonly schema: S;
  /** Media type; JSON unless it says otherwise. */
  readonly type?: string;
  /** The same in other media types. */
  readonly otherwise?: MediaTable;
  /** Name under which the OpenAPI document has the answer once, where several endpoints give it. */
  readonly component?: string;
}

interface Description<S extends TSchema> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Name in clients, unique. */
  readonly name: string;
  readonly tag: Tag;
  /** What it does, in a few words. */
  readonly summary: string;
  /** What it does, needs and answers, for people and programs that choose among endpoints. */
  readonly description: string;
  /** Absent: an extension of ours, which the OpenAPI document marks as one (reference, "Resources"). */
  readonly isSpecified?: boolean;
  /** Served under overload too. */
  readonly isVital?: boolean;
  readonly returns: ResponseBody<S>;
  /** Whether answers have an `ETag`, and the header by which a call may depend on it, where there is one. */
  readonly etag?: 'answered' | 'If-Match' | 'If-None-Match';
  /** Whether answers set or end the cookie of a session. */
  readonly setsCookie?: boolean;
  /** Where arrays come by page: headers tell where the next one begins and, where it is counted, how many there are. */
  readonly pages?: 'counted' | 'uncounted';
  /** Failures beside those that follow from everything else, and when each of them happens. */
  readonly failures?: Readonly<Partial<Record<FailureName, string>>>;
}

/** One request to an endpoint: checked, and read as the endpoint declares. */
export interface Call<Caller = unknown, Parameters = unknown, Body = unknown> {
  readonly caller: Caller;
  readonly parameters: Parameters;
  readonly body: Body;
  /** Everything is to be undone at the end (`DryRun=1`). */
  readonly isDryRun: boolean;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Header `If-Match`: change the object only if it still has this tag. */
  readonly ifMatch: string | undefined;
  /** Header `If-None-Match`: the tag of the answer that the client has already. */
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
  /** IP address of who sent the request. */
  readonly clientAddress: () => string;
  /** Cookie of a browser in which a user has logged in before. */
  readonly browser: string | undefined;
  /** Header `User-Agent`; empty where none was sent. */
  readonly userAgent: string;
  /** What lines of the log are written with. */
  readonly request: Pick<FastifyRequest, 'id' | 'log'>;
}

/** An endpoint as its file declares it. */
export interface Declaration<Caller, Table extends ParameterTable, Body, S extends TSchema, C>
  extends Description<S> {
  readonly access: Access<Caller, C>;
  /** Parameters of the query; absent = it takes none, `ignored` = whatever is sent has no effect. */
  readonly parameters?: Table | 'ignored';
  /** What of the query counts, where that is not all of it. */
  readonly cleanQuery?: (query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly accepts?: RequestBody<Body>;
  /** Compiles what serves it: answers with what becomes the JSON, or with a whole answer. Rejects with `Refusal`. */
  readonly serve: (
    context: C,
  ) => (
    call: Call<Caller, ParameterValues<Table>, Body>,
  ) => ReadonlyStatic<S> | Answer | Promise<ReadonlyStatic<S> | Answer>;
}

export type BaseContext = Pick<Context, 'clientAddress'>;

/** An endpoint: all that routes, the OpenAPI document and clients know of it. It works with `C`. */
export interface Endpoint<S extends TSchema = TSchema, C = Context> extends Description<S> {
  readonly access: Access<unknown, C>;
  readonly parameters: ParameterTable | 'ignored';
  readonly accepts: RequestBody | undefined;
  /** Compiles what answers its requests, once those have passed the server's hooks. */
  readonly serve: (context: C) => (request: FastifyRequest) => Promise<Answer>;
}

/** What an endpoint's call comes to. @internal */
export type AnswerOf<E> = E extends Endpoint<infer S> ? ReadonlyStatic<S> : never;

/** What an `Idempotency-Key` and `DryRun` do: repeat safely, nothing, or be refused (reference, "Safe repeats"). */
export function idempotencyOf({
  method,
  access,
  accepts,
}: Pick<Endpoint<TSchema, never>, 'method' | 'access' | 'accepts'>): 'once' | 'accepted' | 'refused' {
  const isAsked = method === 'POST' && access.by === 'token' && !access.isOwn && accepts?.isOptional !== true;
  if (!isAsked) return 'refused';
  return access.changes ? 'once' : 'accepted';
}

/** The parameter of every POST that takes a body. */
export const dryRun = flag('1 = check everything and answer what would be stored, but change nothing');

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'body' in value;
}

/** Compiles how the query, the headers and the body are read, in this order. */
function compileRead<Caller, Table extends ParameterTable, Body, S extends TSchema, C extends BaseContext>(
  declaration: Declaration<Caller, Table, Body, S, C>,
  context: C,
) {
  const { parameters = {} as Table, accepts, cleanQuery } = declaration;
  const takesKey = idempotencyOf({ ...declaration, accepts }) !== 'refused';
  const isIgnored = parameters === 'ignored' && !takesKey;
  const own: ParameterTable = parameters === 'ignored' ? {} : parameters;
  const readQuery = parameterReader(takesKey ? { ...own, DryRun: dryRun } : own);
  return {
    query(sent: Readonly<Record<string, unknown>>): ParameterValues<ParameterTable> {
      return isIgnored ? {} : readQuery(cleanQuery ? cleanQuery(sent) : sent);
    },
    call(
      request: FastifyRequest,
      caller: Caller,
      values: ParameterValues<ParameterTable>,
      upload: Upload | undefined,
    ): Call<Caller, ParameterValues<Table>, Body> {
      const { headers } = request;
      const idempotencyKey = takesKey ? readIdempotencyKey(request, upload) : undefined;
      const sent = upload ?? { body: request.body, faults: request.bodyFaults ?? [] };
      return {
        caller,
        parameters: values as ParameterValues<Table>,
        body: accepts?.read(sent) as Body,
        isDryRun: values.DryRun === 1,
        idempotencyKey,
        ifMatch: headers['if-match'],
        ifNoneMatch: headers['if-none-match'],
        acceptEncoding: headers['accept-encoding'],
        clientAddress: () => context.clientAddress(request.raw),
        browser: browserTokenIn(headers),
        userAgent: headers['user-agent'] ?? '',
        request,
      };
    },
  };
}

export function defineEndpoint<
  S extends TSchema,
  Caller,
  Body = undefined,
  Table extends ParameterTable = Record<never, Parameter>,
  C extends BaseContext = Context,
>(declaration: Declaration<Caller, Table, Body, S, C>): Endpoint<S, C> {
  const { access, parameters = {}, accepts } = declaration;
  return {
    ...declaration,
    parameters,
    accepts,
    serve(context) {
      const read = compileRead(declaration, context);
      const serve = declaration.serve(context);
      return async (request) => {
        const query = request.query as Readonly<Record<string, unknown>>;
        const caller = access.identify ? await access.identify(context, query) : (request.bearer as Caller);
        const values = read.query(query);
        const isForm = accepts?.readForm !== undefined && request.isMultipart();
        const upload = isForm ? await accepts.readForm?.(request) : undefined;
        const answer = await serve(read.call(request, caller, values, upload));
        return isAnswer(answer) ? answer : { body: JSON.stringify(answer) };
      };
    },
  };
}
