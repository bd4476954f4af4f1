import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { measurementMacroNames, measurementMacros } from '../../reference/measurement-macros.ts';
import type { TeamSettings } from '../../store/identity/interface.ts';
import { administrator, reader } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { perform } from '../perform.ts';

const teamTag: Tag = { name: 'Team', description: 'Settings of the whole team, made by administrators.' };

const macros = Object.entries(measurementMacros)
  .map(([name, help]) => `{${name}} ${help}`)
  .join('; ');

const members = {
  MeasurementUrl: Type.String({
    format: 'url',
    maxLength: 4096,
    'x-macros': measurementMacroNames,
    description: `URL with which a third party measures the ads of RTB EPs with ThirdPartyPostbidEnable, called when an ad is shown; "" = none. It may contain ${macros}`,
  }),
};
const settingsSchema = closedObject(members);
const example = {
  MeasurementUrl: 'https://measure.example/i?a={auction_id}&s={site}&c={creative_id}&p={price_bucket}',
};
const shown = ({ measurementUrl }: TeamSettings) => ({ MeasurementUrl: measurementUrl });

export const getTeam = defineEndpoint({
  method: 'GET',
  path: '/api/team/get',
  name: 'getTeam',
  tag: teamTag,
  summary: "Fetch the team's settings",
  description:
    'The settings that administrators have made for the whole team. Its name and address are in the account.',
  access: reader,
  parameters: {},
  returns: { description: 'The settings', schema: settingsSchema, example: () => example },
  serve:
    ({ store }) =>
    async ({ caller: { teamId } }) => ({
      body: JSON.stringify(shown(await store.identity.teamSettings(teamId))),
    }),
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
  accepts: checkedBody({
    schema: Type.Partial(settingsSchema),
    wrapper: 'Team',
    example: () => example,
  }),
  returns: {
    description: 'The settings as they are now',
    schema: closedObject({ Status: okStatus, Team: settingsSchema }),
    example: () => ({ ...succeeded, Team: example }),
  },
  serve: (context) => (call) =>
    perform(context, call, async ({ identity }) => {
      const { MeasurementUrl: measurementUrl } = call.body;
      const values = measurementUrl === undefined ? {} : { measurementUrl };
      const settings = await identity.updateTeam(call.caller.teamId, values);
      return { body: JSON.stringify({ ...succeeded, Team: shown(settings) }) };
    }),
});
