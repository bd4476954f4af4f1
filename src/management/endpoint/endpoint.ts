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

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** On success. */
export interface ResponseBody<S extends TSchema = TSchema> extends Media {
  readonly description: string;
  readonly schema: S;
  /** Media type; JSON by default. */
  readonly type?: string;
  /** In other media types. */
  readonly otherwise?: MediaTable;
  /** Its component in the OpenAPI document, if several endpoints give it. */
  readonly component?: string;
}

interface Description<S extends TSchema> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** In clients; unique. */
  readonly name: string;
  readonly tag: Tag;
  /** In a few words. */
  readonly summary: string;
  /** For people and programs that choose among endpoints. */
  readonly description: string;
  /** Absent: our extension, marked in the OpenAPI document (reference, "Resources"). */
  readonly isSpecified?: boolean;
  /** Served under overload too. */
  readonly isVital?: boolean;
  readonly returns: ResponseBody<S>;
  /** Whether answers have an `ETag`, and the header by which a call may depend on it. */
  readonly etag?: 'answered' | 'If-Match' | 'If-None-Match';
  /** Sets or ends a session's cookie. */
  readonly setsCookie?: boolean;
  /** For paged arrays: headers name the next page and, if counted, the total. */
  readonly pages?: 'counted' | 'uncounted';
  /** Besides those that follow from everything else, and when each happens. */
  readonly failures?: Readonly<Partial<Record<FailureName, string>>>;
}

/** Checked, and read as declared. */
export interface Call<Caller = unknown, Parameters = unknown, Body = unknown> {
  readonly caller: Caller;
  readonly parameters: Parameters;
  readonly body: Body;
  /** Everything is undone at the end (`DryRun=1`). */
  readonly isDryRun: boolean;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** `If-Match`: change the object only if it still has this tag. */
  readonly ifMatch: string | undefined;
  /** `If-None-Match`: the tag that the client has already. */
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly clientAddress: () => string;
  readonly browser: string | undefined;
  /** Empty if none was sent. */
  readonly userAgent: string;
  /** For lines of the log. */
  readonly request: Pick<FastifyRequest, 'id' | 'log'>;
}

/** As its file declares it. */
export interface Declaration<Caller, Table extends ParameterTable, Body, S extends TSchema, C>
  extends Description<S> {
  readonly access: Access<Caller, C>;
  /** Absent = none, `ignored` = whatever is sent has no effect. */
  readonly parameters?: Table | 'ignored';
  /** The part of the query that counts, if not all. */
  readonly cleanQuery?: (query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly accepts?: RequestBody<Body>;
  /** Returns the JSON's value, or a whole answer. Rejects with `Refusal`. */
  readonly serve: (
    context: C,
  ) => (
    call: Call<Caller, ParameterValues<Table>, Body>,
  ) => ReadonlyStatic<S> | Answer | Promise<ReadonlyStatic<S> | Answer>;
}

export type BaseContext = Pick<Context, 'clientAddress'>;

/** All that routes, the OpenAPI document and clients know of it. */
export interface Endpoint<S extends TSchema = TSchema, C = Context> extends Description<S> {
  readonly access: Access<unknown, C>;
  readonly parameters: ParameterTable | 'ignored';
  readonly accepts: RequestBody | undefined;
  /** For requests that have passed the server's hooks. */
  readonly serve: (context: C) => (request: FastifyRequest) => Promise<Answer>;
}

/** @internal */
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

/** Of every POST with a body. */
export const dryRun = flag('1 = check everything and return what would be stored, without changing anything');

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'body' in value;
}

/** Query, headers and body, in this order. */
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
