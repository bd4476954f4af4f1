import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { labelsOf } from '../../fields/list.ts';
import { roles } from '../../reference/roles.ts';
import { everyUser } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { authTag } from './sessions.ts';

export const accountSchema = closedObject({
  Id: Type.Integer({ description: 'ID of the user' }),
  TeamId: Type.Integer({ description: 'ID of the team' }),
  Mail: Type.String({ description: 'E-mail address' }),
  FirstName: Type.String({ description: 'First name' }),
  LastName: Type.String({ description: 'Last name' }),
  Role: Type.Integer({
    enum: roles.map(({ Id }) => Id),
    'x-labels': labelsOf(roles),
    description: 'What the user may do',
  }),
  Status: Type.Integer({ description: '0 = Active' }),
  StatusString: Type.String({ description: '"Active"' }),
  Team: closedObject(
    {
      Id: Type.Integer({ description: 'ID of the team' }),
      Name: Type.String({ description: 'Name of the team' }),
      Country: Type.String({ description: 'Country code' }),
      City: Type.String({ description: 'City' }),
      ZipCode: Type.String({ description: 'Postal code' }),
      Address: Type.String({ description: 'Street address' }),
      Phone: Type.String({ description: 'Phone number' }),
    },
    'The team that the user belongs to',
  ),
});

export const accountExample = {
  Id: 1,
  TeamId: 1,
  Mail: 'ada@example.com',
  FirstName: 'Ada',
  LastName: 'Byron',
  Role: 0,
  Status: 0,
  StatusString: 'Active',
  Team: { Id: 1, Name: 'Example Media', Country: '', City: '', ZipCode: '', Address: '', Phone: '' },
};

export const account = defineEndpoint({
  method: 'GET',
  path: '/api/auth/account',
  name: 'account',
  tag: authTag,
  summary: 'Fetch the account',
  description: 'The user who owns the access token or API key: name, role and team.',
  isSpecified: true,
  access: everyUser,
  parameters: 'ignored',
  returns: {
    description: 'Done',
    schema: accountSchema,
    example: () => accountExample,
  },
  serve:
    ({ identity }) =>
    ({ caller }) =>
      identity.account(caller),
});
