import { type TSchema, Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { type TeamSettings, teamSettings } from '../../entities/team-settings.ts';
import type { Field } from '../../fields/field.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { StoredTeamSettings } from '../../store/identity/interface.ts';
import { administrator, reader } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { assertMatch, entityTag } from '../http/entity-tag.ts';
import { perform } from '../perform.ts';
import { described } from '../schemas.ts';

const teamTag: Tag = { name: 'Team', description: 'Settings of the whole team, made by administrators.' };

const fields: Readonly<Record<string, Field>> = teamSettings;
const rows = Object.entries(fields);

const mapped = <T>(of: (field: Field, name: string) => T): Record<string, T> =>
  Object.fromEntries(rows.map(([name, field]) => [name, of(field, name)]));

const settingsSchema = closedObject(mapped((field, name): TSchema => described(field.returns, name, field)));
const changeSchema = closedObject(
  mapped((field, name): TSchema => Type.Optional(described(field.accepts, name, field))),
);

const shown = (settings: TeamSettings) =>
  mapped(({ present }, name) => {
    const value = ownMember<unknown>(settings, name);
    return present ? present(value) : value;
  });

const example = () =>
  mapped(({ example: value, clean, present }) => {
    const stored = clean ? clean(value as never) : value;
    return present ? present(stored) : stored;
  });

/** From the accepted to the stored form. */
function cleaned(body: Readonly<Record<string, unknown>>): Partial<TeamSettings> {
  const values = Object.entries(body).map(([name, value]) => {
    const clean = ownMember(fields, name)?.clean;
    return [name, clean ? clean(value as never) : value];
  });
  return Object.fromEntries(values);
}

const headersOf = (stored: StoredTeamSettings) => ({ etag: entityTag(stored) });

export const getTeam = defineEndpoint({
  method: 'GET',
  path: '/api/team/get',
  name: 'getTeam',
  tag: teamTag,
  summary: "Fetch the team's settings",
  description:
    'The settings that administrators have made for the whole team. Its name and address are in the account.',
  access: reader,
  etag: 'answered',
  parameters: {},
  returns: { description: 'The settings', schema: settingsSchema, example },
  serve:
    ({ store }) =>
    async ({ caller: { teamId } }) => {
      const stored = await store.identity.teamSettings(teamId);
      return { body: JSON.stringify(shown(stored.settings)), headers: headersOf(stored) };
    },
});

export const updateTeam = defineEndpoint({
  method: 'POST',
  path: '/api/team/update',
  name: 'updateTeam',
  tag: teamTag,
  summary: "Change the team's settings",
  description:
    'Changes the members that are sent. The exchange uses them within about a second; ads that are already out stay as they are.',
  access: administrator,
  etag: 'If-Match',
  accepts: checkedBody({
    schema: changeSchema,
    wrapper: 'Team',
    example: () => mapped((one) => one.example),
  }),
  returns: {
    description: 'The settings as they are now',
    schema: closedObject({ Status: okStatus, Team: settingsSchema }),
    example: () => ({ ...succeeded, Team: example() }),
  },
  serve: (context) => (call) =>
    perform(context, call, async ({ identity }) => {
      const stored = await identity.updateTeam(call.caller.teamId, (current) => {
        assertMatch(call.ifMatch, current);
        return cleaned(call.body);
      });
      const body = JSON.stringify({ ...succeeded, Team: shown(stored.settings) });
      return { body, headers: headersOf(stored) };
    }),
});
