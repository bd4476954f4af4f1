import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { Check, Copy, Eye } from 'lucide-react';
import { useState } from 'react';

interface IconProps {
  readonly text: string;
  readonly label?: string;
}

export function CopyIcon({ text, label = 'Copy' }: IconProps) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color={copied ? 'teal' : 'gray'}
          aria-label={copied ? 'Copied' : label}
          title={copied ? 'Copied' : label}
          onClick={copy}
        >
          {copied ? <Check size={16} /> : <Copy size={16} />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

/** A text to be used elsewhere, with a button that copies it; a secret is shown when asked for. */
export function CopyText({ text, isSecret = false }: { readonly text: string; readonly isSecret?: boolean }) {
  const [isShown, setShown] = useState(!isSecret);
  if (text === '') return <>–</>;
  return (
    <Group gap={4} wrap="nowrap" maw="100%">
      <Code style={{ overflowWrap: 'anywhere' }}>{isShown ? text : '••••••••••••'}</Code>
      {!isShown && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Show"
          title="Show"
          onClick={() => setShown(true)}
        >
          <Eye size={16} />
        </ActionIcon>
      )}
      <CopyIcon text={text} />
    </Group>
  );
}
