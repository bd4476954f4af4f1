import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigurationCopy } from '../../src/edge/configuration-copy.ts';
import { defaultTeamSettings } from '../../src/entities/team-settings.ts';
import { createEdgeSource } from '../../src/serving/edge-source.ts';

test('an edge fills in settings of a team that its home does not know', async () => {
  const copy = {
    feed: {},
    sharedState: () => ({
      trackerKeys: [],
      teamSettings: [[7, { GvlId: 755 }]],
      demonstrations: [],
      edgeKeys: [],
    }),
  } as unknown as ConfigurationCopy;
  const client = { user: async () => undefined };
  const { identity } = createEdgeSource(copy, { onChange: () => () => undefined, client });
  const settings = await identity.allTeamSettings();
  assert.deepEqual([...settings], [[7, { ...defaultTeamSettings, GvlId: 755 }]]);
});
