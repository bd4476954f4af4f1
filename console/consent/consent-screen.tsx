import { Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { ConsentAnswer } from '../../src/answers/consent-reading.ts';
import { consentStateHelp, consentStates } from '../../src/reference/consent-states.ts';
import { sendRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { errorBeside, faultAt } from '../parts/faults.ts';
import classes from './consent.module.css';
import { consentRequest, nothingPasted, type PastedStrings } from './consent.ts';
import { PartnersTable } from './partners-table.tsx';
import { SignalSection } from './signal-section.tsx';

/** What consent strings say, and which partners may do what with them. */
export function ConsentScreen() {
  const [pasted, setPasted] = useState(nothingPasted);
  const read = useMutation({
    mutationFn: async (strings: PastedStrings) => (await sendRequest(consentRequest(strings))).data,
  });
  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h3">
          Consent
        </Title>
        <Text size="sm" c="dimmed" maw={720}>
          What a consent string says, and which partners may do what with it. Strings are neither stored nor
          logged.{' '}
          <Link to="/console/help/$page" params={{ page: 'privacy' }}>
            How consent is enforced
          </Link>
        </Text>
      </div>
      <div className={classes.layout}>
        <StringsForm
          pasted={pasted}
          onChange={setPasted}
          error={read.error}
          isPending={read.isPending}
          onRead={() => read.mutate(pasted)}
        />
        <div className={classes.reading} aria-live="polite">
          {read.data && <Said reading={read.data} />}
        </div>
      </div>
      {read.data && <PartnersTable partners={read.data.Partners} />}
    </Stack>
  );
}

interface FormProps {
  readonly pasted: PastedStrings;
  readonly onChange: (pasted: PastedStrings) => void;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onRead: () => void;
}

function StringsForm({ pasted, onChange, error, isPending, onRead }: FormProps) {
  const { consent, gpp, sections, usPrivacy } = pasted;
  const isEmpty = [consent, gpp, usPrivacy].every((text) => text.trim() === '');
  const input = (name: keyof PastedStrings) => ({
    value: pasted[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...pasted, [name]: currentTarget.value }),
  });
  const lines = { autosize: true, minRows: 3, maxRows: 10, classNames: { input: classes.string ?? '' } };
  const rest = errorBeside(error, ['Consent', 'Gpp', 'UsPrivacy']);
  return (
    <form
      className={classes.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onRead();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label="TCF string"
          description="gdpr_consent, or user.consent"
          error={faultAt(error, 'Consent')}
          {...lines}
          {...input('consent')}
        />
        <Textarea
          label="GPP string"
          description="gpp, or regs.gpp"
          error={faultAt(error, 'Gpp')}
          {...lines}
          {...input('gpp')}
        />
        {gpp !== '' && (
          <TextInput
            label="Sections that apply"
            description="gpp_sid, for example 7,8; empty = all that the string has"
            {...input('sections')}
          />
        )}
        <TextInput
          label="US privacy string"
          description="us_privacy, for example 1YNN"
          error={faultAt(error, 'UsPrivacy')}
          {...input('usPrivacy')}
        />
        {rest && <ErrorNote error={rest} />}
        <Group>
          <Button type="submit" disabled={isEmpty} loading={isPending}>
            Read
          </Button>
          {!isEmpty && (
            <ApiCall
              calls={{ 'Read consent strings': consentRequest({ consent, gpp, sections, usPrivacy }) }}
            />
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Said({ reading: { State, Signals } }: { readonly reading: ConsentAnswer }) {
  return (
    <section aria-label="What it says">
      <Title order={2} size="h4">
        What it says
      </Title>
      <Text mb="sm">
        <b>{consentStates[State]}</b>: {consentStateHelp[State]}.
      </Text>
      <Stack gap="lg">
        {Signals.map((signal) => (
          <SignalSection key={`${signal.Source}${signal.Section}`} signal={signal} />
        ))}
      </Stack>
    </section>
  );
}
