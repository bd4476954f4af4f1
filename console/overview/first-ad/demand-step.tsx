import { SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { objectQuery, objectsQuery, type Stored, sendObject, type Values } from '../../api/objects.ts';
import { mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { accountValues } from './account-values.ts';
import { AddForm } from './add-form.tsx';
import { knownEntity } from './known-entity.ts';

/** The two kinds of demand that the way offers, with what each needs, and what it begins with. */
const kinds = {
  Campaign: {
    label: 'A video of the advertiser',
    fields: ['Cpm', 'MediaUrl', 'Duration', 'ClickUrl'],
    needed: ['Cpm', 'MediaUrl'],
    start: { Name: 'First campaign', Cpm: 5, Duration: 15, Width: 640, Height: 360 },
  },
  DspVastTag: {
    label: 'A VAST tag of the advertiser',
    fields: ['FixedCpm', 'ZoneUrlUsEast'],
    needed: ['ZoneUrlUsEast'],
    start: { Name: 'First DSP VAST tag', FixedCpm: 5 },
  },
} as const;
type Kind = keyof typeof kinds;

const types: Readonly<Record<string, string>> = {
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
};

/** The type of a film, by the ending of its URL. */
const mimeOf = (url: unknown): string =>
  types[/\.(\w+)(?:[?#]|$)/.exec(String(url))?.[1] ?? ''] ?? 'video/mp4';

const derived = (kind: Kind, values: Values): Values =>
  kind === 'Campaign' ? { Mime: mimeOf(values.MediaUrl) } : {};

interface StepProps {
  readonly publisherId: number;
  readonly tagId: number;
  readonly onDone: (kind: Kind, id: number) => void;
}

/** Adds an advertiser where its name is new. */
function useAdvertiser(publisherId: number) {
  const entity = knownEntity('Advertiser');
  const { Mail } = useAccount();
  const { data: there = [], refetch } = useQuery(objectsQuery(entity));
  const { data: publisher } = useQuery(objectQuery(knownEntity('Publisher'), publisherId));
  return async (name: string): Promise<Stored> => {
    const known = there.find(({ Name }) => Name === name);
    if (known) return known;
    const country = String(publisher?.object.Country ?? '');
    const { object } = await sendObject(entity, 'add', accountValues(name, country, Mail, there));
    await refetch();
    return object;
  };
}

/** Adds an advertiser and its demand, connected to the tag. */
export function DemandStep({ publisherId, tagId, onDone }: StepProps) {
  const may = mayChange(useAccount());
  const [kind, setKind] = useState<Kind>('Campaign');
  const [advertiser, setAdvertiser] = useState('');
  const [values, change] = useState<Values>({});
  const advertiserOf = useAdvertiser(publisherId);
  const entity = knownEntity(kind);
  const { fields, needed, start } = kinds[kind];
  const shown = { ...start, ...values };
  const add = async (key: string) => {
    const { Id: AdvertiserId } = await advertiserOf(advertiser.trim() || 'First advertiser');
    const sent = Object.fromEntries(
      Object.entries(shown).filter(([name]) => name in start || fields.some((field) => field === name)),
    );
    const whole = { ...sent, ...derived(kind, shown), AdvertiserId, VastTags: [tagId] };
    return (await sendObject(entity, 'add', whole, { key })).object;
  };
  return (
    <AddForm
      key={kind}
      asked={fields.map((name) => ({ entity, name, isNeeded: needed.some((one) => one === name) }))}
      values={shown}
      onChange={change}
      actionText={kind === 'Campaign' ? 'Add the campaign' : 'Add the DSP VAST tag'}
      add={add}
      onAdded={({ Id }) => onDone(kind, Id)}
    >
      <SegmentedControl
        aria-label="Whose ad is it?"
        data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
      />
      <TextInput
        label="Advertiser"
        description="Name of the company; you can add details later"
        placeholder="First advertiser"
        disabled={!may}
        value={advertiser}
        onChange={({ currentTarget }) => setAdvertiser(currentTarget.value)}
      />
    </AddForm>
  );
}
