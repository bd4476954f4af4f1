import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ApiRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { errorBeside, faultAt } from '../../parts/faults.ts';
import { useAccessChange } from '../people.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface SecondFactorSecret {
  readonly Secret: string;
  readonly Url: string;
}

/**
 * Makes a second factor: asks for the password, shows it to the app, takes a code of the app, gives recovery codes,
 * which stay in sight although it `isOn` then.
 */
export function SetUp({ isOn }: { readonly isOn: boolean }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [begun, setBegun] = useState<SecondFactorSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const leave = () => {
    close();
    setBegun(undefined);
    setCodes(undefined);
  };
  return (
    <>
      {!isOn && <Button onClick={open}>Set up…</Button>}
      <Modal
        opened={isOpen}
        onClose={leave}
        title={codes ? 'Keep your recovery codes' : 'Set up a second factor'}
        size={480}
        centered
        closeOnClickOutside={!codes}
        closeOnEscape={!codes}
      >
        {!begun && <Begin onBegun={setBegun} />}
        {begun && !codes && <Confirm begun={begun} onConfirmed={setCodes} />}
        {codes && <RecoveryCodes codes={codes} onKept={leave} />}
      </Modal>
    </>
  );
}

interface StepProps {
  readonly error: Error | undefined;
  readonly actionText: string;
  readonly request: ApiRequest;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

function Step({ error, actionText, request, isPending, onSubmit, children }: StepProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Stack gap="md" component="form" onSubmit={submit}>
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {children}
      <Group justify="flex-end" gap="xs">
        <ApiCall calls={{ [actionText]: request }} />
        <Button type="submit" loading={isPending}>
          {actionText}
        </Button>
      </Group>
    </Stack>
  );
}

function Begin({ onBegun }: { readonly onBegun: (begun: SecondFactorSecret) => void }) {
  const [Password, change] = useState('');
  const begin = useAccessChange<'api/auth/totp/begin'>('Scan the picture with your app');
  const request = { path: 'api/auth/totp/begin', body: { Password } } satisfies ApiRequest;
  return (
    <Step
      actionText="Go on"
      request={request}
      error={errorBeside(begin.error, ['Password'])}
      isPending={begin.isPending}
      onSubmit={() => begin.mutate(request, { onSuccess: onBegun })}
    >
      <Text size="sm">
        You need an app that shows codes, for example Aegis, Google Authenticator or 1Password.
      </Text>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        value={Password}
        error={faultAt(begin.error, 'Password')}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    </Step>
  );
}

interface ConfirmProps {
  readonly begun: SecondFactorSecret;
  readonly onConfirmed: (codes: readonly string[]) => void;
}

function Confirm({ begun, onConfirmed }: ConfirmProps) {
  const [Code, change] = useState('');
  const confirm = useAccessChange<'api/auth/totp/confirm'>(
    'The second factor is on; keep your recovery codes',
  );
  const request = { path: 'api/auth/totp/confirm', body: { Code } } satisfies ApiRequest;
  return (
    <Step
      actionText="Turn it on"
      request={request}
      error={errorBeside(confirm.error, ['Code'])}
      isPending={confirm.isPending}
      onSubmit={() =>
        confirm.mutate(request, { onSuccess: ({ RecoveryCodes: codes }) => onConfirmed(codes) })
      }
    >
      <Text size="sm">Scan this with the app, then type the six digits that it shows.</Text>
      <QrCode text={begun.Url} label="QR code of the second factor; the same code as text is below" />
      <div>
        <Text size="xs" c="dimmed">
          Or type this into the app:
        </Text>
        <CopyText text={begun.Secret} />
      </div>
      <TextInput
        label="Code"
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        required
        withAsterisk={false}
        maxLength={16}
        value={Code}
        error={faultAt(confirm.error, 'Code')}
        onChange={({ currentTarget }) => change(currentTarget.value.trim())}
      />
    </Step>
  );
}
