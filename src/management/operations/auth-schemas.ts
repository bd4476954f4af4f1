import { type TSchema, Type } from 'typebox';
import { idSchema } from '../../fields/number.ts';
import { passwordLength } from '../../reference/password-length.ts';
import { dateTimePattern } from '../input/moment.ts';

/** One operation under `/api/auth/`: how it is reached, and what the OpenAPI document tells of it. */
export interface AuthOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly help: string;
  /** Whether the specification lists it (4.1). */
  readonly documented: boolean;
  /** What the route asks of a request; see `FastifyContextConfig`. */
  readonly access: { readonly public?: true; readonly writes?: true; readonly emptyBody?: true };
  /** Key of the body that holds the object, where it has one. */
  readonly wrapper?: string;
  /** What the body holds below the wrapper, or the whole body where there is none; absent = no body is needed. */
  readonly accepts?: TSchema;
  /** The whole answer. */
  readonly returns: TSchema;
  /** A whole body that validates. */
  readonly example?: unknown;
  readonly answerExample: unknown;
}

const closed = { additionalProperties: false };
const status = Type.Literal('Ok', { type: 'string', description: 'The call has succeeded' });

/** When something happens or happened: a date and a time with its zone; `""` where it never does. */
const momentSchema = (description: string) =>
  Type.String({
    pattern: `^(${dateTimePattern})?$`,
    maxLength: 40,
    description,
    'x-wants': 'must be a date and time as 2027-01-31T12:00:00Z',
  });

const loginSchema = Type.Object(
  {
    Username: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address of the user' }),
    Password: Type.String({
      minLength: 1,
      maxLength: passwordLength.max,
      description: 'Password of the user',
    }),
  },
  closed,
);

const sessionSchema = Type.Object(
  {
    Status: status,
    UID: Type.Integer({ description: 'ID of the user' }),
    AccessToken: Type.String({ description: 'Token for the header "Authorization: Bearer <token>"' }),
    ExpiresIn: Type.Integer({ description: 'Seconds that the token lasts' }),
  },
  closed,
);

const accountSchema = Type.Object(
  {
    Id: Type.Integer({ description: 'ID of the user' }),
    TeamId: Type.Integer({ description: 'ID of the team' }),
    Mail: Type.String({ description: 'E-mail address' }),
    FirstName: Type.String({ description: 'First name' }),
    LastName: Type.String({ description: 'Last name' }),
    Role: Type.Integer({ description: '0 = Administrator, 1 = Manager, 2 = Analyst' }),
    Status: Type.Integer({ description: '0 = Active' }),
    StatusString: Type.String({ description: '"Active"' }),
    Team: Type.Object(
      {
        Id: Type.Integer({ description: 'ID of the team' }),
        Name: Type.String({ description: 'Name of the team' }),
        Country: Type.String({ description: 'Country code' }),
        City: Type.String({ description: 'City' }),
        ZipCode: Type.String({ description: 'Postal code' }),
        Address: Type.String({ description: 'Street address' }),
        Phone: Type.String({ description: 'Phone number' }),
      },
      { ...closed, description: 'The team that the user belongs to' },
    ),
  },
  closed,
);

const newKeySchema = Type.Object(
  {
    Label: Type.String({ minLength: 1, maxLength: 100, description: 'What the key is for' }),
    ExpiresAt: Type.Optional(momentSchema('When the key ends; omitted or "" = never')),
  },
  closed,
);

const keyMembers = {
  Id: Type.Integer({ description: 'ID of the key' }),
  Label: Type.String({ description: 'What the key is for' }),
};

const keyTimes = {
  UserId: Type.Integer({ description: 'ID of the user that the key speaks for' }),
  CreatedAt: momentSchema('When the key was added'),
  ExpiresAt: momentSchema('When the key ends; "" = never'),
  LastUsedAt: momentSchema('When the key was last used, to the minute; "" = never'),
};

const keySchema = Type.Object({ ...keyMembers, ...keyTimes }, closed);

const shownOnceSchema = Type.Object(
  { ...keyMembers, Key: Type.String({ description: 'The key itself; it is shown only here' }), ...keyTimes },
  closed,
);

const tokenExample = 'ZXhhbXBsZS1vbmx5LWV4YW1wbGUtb25seS1leGFtcGw';
const sessionExample = { Status: 'Ok', UID: 1, AccessToken: tokenExample, ExpiresIn: 3600 };
const keyTimesExample = {
  UserId: 1,
  CreatedAt: '2027-01-01T09:00:00.000Z',
  ExpiresAt: '2027-12-31T00:00:00.000Z',
  LastUsedAt: '',
};
const keyExample = { Id: 7, Label: 'nightly report', ...keyTimesExample };

const listKeys = {
  path: '/api/auth/apikey/get',
  summary: 'Fetch API keys',
  help: "The team's keys for an administrator, for others their own. The keys themselves are not shown.",
  documented: false,
  returns: Type.Array(keySchema),
  answerExample: [keyExample],
} as const;

/** Every operation under `/api/auth/` (specification 4.1; decisions A1 to A5). */
export const authOperations = {
  login: {
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Log in',
    help: 'Gives an access token, which lasts an hour. After 10 failures in a minute for one mail or client address: 429.',
    documented: false,
    access: { public: true },
    accepts: loginSchema,
    returns: sessionSchema,
    example: { Username: 'ada@example.com', Password: 'correct horse battery' },
    answerExample: sessionExample,
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Renew the access token',
    help: 'Gives a new access token; the one of this request ends. API keys are not renewed: 403.',
    documented: false,
    access: { emptyBody: true },
    returns: sessionSchema,
    answerExample: sessionExample,
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Log out',
    help: 'Ends the access token of this request. API keys do not log out, they are revoked: 403.',
    documented: false,
    access: { emptyBody: true },
    returns: Type.Object({ Status: status }, closed),
    answerExample: { Status: 'Ok' },
  },
  account: {
    method: 'GET',
    path: '/api/auth/account',
    summary: 'Fetch the account',
    help: 'The user that the access token belongs to, with the team.',
    documented: true,
    access: {},
    returns: accountSchema,
    answerExample: {
      Id: 1,
      TeamId: 1,
      Mail: 'ada@example.com',
      FirstName: 'Ada',
      LastName: 'Byron',
      Role: 0,
      Status: 0,
      StatusString: 'Active',
      Team: { Id: 1, Name: 'Example Media', Country: '', City: '', ZipCode: '', Address: '', Phone: '' },
    },
  },
  addApiKey: {
    method: 'POST',
    path: '/api/auth/apikey/add',
    summary: 'Add an API key',
    help: 'Adds a token for a machine, which speaks for the user of this request. The key is shown only in this answer.',
    documented: false,
    access: { writes: true },
    wrapper: 'ApiKey',
    accepts: newKeySchema,
    returns: Type.Object({ Status: status, ApiKey: shownOnceSchema }, closed),
    example: { ApiKey: { Label: 'nightly report', ExpiresAt: '2027-12-31T00:00:00Z' } },
    answerExample: {
      Status: 'Ok',
      ApiKey: { Id: 7, Label: 'nightly report', Key: tokenExample, ...keyTimesExample },
    },
  },
  getApiKeys: { ...listKeys, method: 'GET', access: {} },
  postApiKeys: { ...listKeys, method: 'POST', access: { emptyBody: true } },
  revokeApiKey: {
    method: 'POST',
    path: '/api/auth/apikey/revoke',
    summary: 'Revoke an API key',
    help: 'Ends the key at once. Administrators revoke any key of the team; for others, the keys of other users do not exist: 406.',
    documented: false,
    access: { writes: true },
    wrapper: 'ApiKey',
    accepts: Type.Object({ Id: { ...idSchema, description: 'ID of the key' } }, closed),
    returns: Type.Object({ Status: status, ApiKey: keySchema }, closed),
    example: { ApiKey: { Id: 7 } },
    answerExample: { Status: 'Ok', ApiKey: keyExample },
  },
} as const satisfies Readonly<Record<string, AuthOperation>>;

/** Names of the operations on sessions and API keys. */
export type AuthOperationName = keyof typeof authOperations;
