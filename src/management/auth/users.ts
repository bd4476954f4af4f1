import { Type } from 'typebox';
import { closedObject, named, type ReadonlyStatic } from '../../answers/wire-schema.ts';
import { invalid } from '../../fields/fault.ts';
import { idSchema, intMax } from '../../fields/number.ts';
import type { User } from '../../store/identity/interface.ts';
import { everyUser } from '../endpoint/access.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { accountSchema } from './account.ts';
import { partnerAnswerMembers, partnerBodyMembers, shownPartner } from './partner-of.ts';

export const usersTag: Tag = {
  name: 'Users',
  description:
    'The people of the team, and where they are logged in. Administrators invite users and shut them out.',
};

export const userMembers = {
  Id: { ...idSchema, description: 'ID of the user' },
  FirstName: Type.String({ maxLength: 1024, description: 'First name' }),
  LastName: Type.String({ maxLength: 1024, description: 'Last name' }),
  Role: accountSchema.properties.Role,
  ...partnerBodyMembers,
};

const flagSchema = (description: string) => Type.Integer({ enum: [0, 1], description });

export const userSchema = named(
  'User',
  closedObject(
    {
      Id: Type.Integer({ description: 'ID of the user' }),
      Mail: Type.String({ description: 'E-mail address' }),
      FirstName: Type.String({ description: 'First name' }),
      LastName: Type.String({ description: 'Last name' }),
      Role: userMembers.Role,
      ...partnerAnswerMembers,
      Status: Type.Integer({ description: '0 = Active, 1 = Inactive' }),
      StatusString: Type.String({ description: '"Active" or "Inactive"' }),
      Invited: flagSchema('1 = invited, and no password is set yet'),
      SecondFactor: flagSchema('1 = the user needs the password and a code to log in'),
    },
    'A user of the team',
  ),
);

type ShownUser = ReadonlyStatic<typeof userSchema>;

export const userExample: ShownUser = {
  Id: 2,
  Mail: 'grace@example.com',
  FirstName: 'Grace',
  LastName: 'Hopper',
  Role: 1,
  PublisherId: 0,
  AdvertiserId: 0,
  Status: 0,
  StatusString: 'Active',
  Invited: 0,
  SecondFactor: 0,
};

export function shownUser(user: User): ShownUser {
  return {
    Id: user.id,
    Mail: user.mail,
    FirstName: user.firstName,
    LastName: user.lastName,
    Role: user.role,
    ...shownPartner(user.partner),
    Status: user.status,
    StatusString: user.status === 0 ? 'Active' : 'Inactive',
    Invited: user.passwordHash === '' ? 1 : 0,
    SecondFactor: user.secondFactor?.isConfirmed ? 1 : 0,
  };
}

export const getUsers = defineEndpoint({
  method: 'GET',
  path: '/api/auth/user/get',
  name: 'getUsers',
  tag: usersTag,
  summary: 'Fetch users',
  description:
    'All users of the team for administrators, only the caller for everyone else; or one user, by `Id`.',
  access: everyUser,
  parameters: { Id: number({ help: 'ID of the user', max: intMax }) },
  returns: {
    description: 'The users; with `Id`, the one user',
    schema: Type.Union([Type.Array(userSchema), userSchema]),
    example: () => [userExample],
  },
  serve:
    ({ identity }) =>
    async ({ caller, parameters: { Id = 0 } }) => {
      const users = await identity.users(caller);
      if (Id === 0) return users.map(shownUser);
      const user = users.find((one) => one.id === Id);
      if (user) return shownUser(user);
      throw invalid([{ Path: 'Id', Code: 'not_found', Message: `names user ${Id}, which is not found` }]);
    },
});
