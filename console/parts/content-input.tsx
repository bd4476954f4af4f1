import { Button, Group, Text, Textarea } from '@mantine/core';
import { FileText } from 'lucide-react';
import type { ClipboardEvent } from 'react';
import { byteText } from './byte-text.ts';
import type { Content } from './content.ts';
import { DropArea } from './drop-area.tsx';

/** More than this in a box that is typed into makes a browser slow; it is kept as a file instead. */
const pastedMax = 200_000;

interface InputProps {
  readonly content: Content;
  readonly label: string;
  readonly description?: string;
  /** File endings and media types, as `accept` of an input has them. */
  readonly accept: string;
  readonly fileHint: string;
  readonly isDisabled: boolean;
  readonly reason?: string | undefined;
  readonly onChange: (content: Content) => void;
}

/** Takes a file, dropped or chosen, or a text. */
export function ContentInput(props: InputProps) {
  const { content, label, description, accept, fileHint, isDisabled, reason, onChange } = props;
  const { file, text } = content;
  if (file) return <ChosenFile file={file} isDisabled={isDisabled} onRemove={() => onChange({ text })} />;
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (pasted.length < pastedMax) return;
    event.preventDefault();
    onChange({ text, file: new File([text, pasted], 'pasted text', { type: 'text/plain' }) });
  };
  return (
    <>
      <DropArea
        accept={accept}
        isDisabled={isDisabled}
        title={reason}
        onFile={(chosen) => onChange({ text, file: chosen })}
      >
        {fileHint}
      </DropArea>
      <Textarea
        label={label}
        description={description}
        autosize
        minRows={5}
        maxRows={14}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        spellCheck={false}
        disabled={isDisabled}
        title={reason}
        value={text}
        onPaste={paste}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
    </>
  );
}

interface ChosenFileProps {
  readonly file: File;
  readonly isDisabled: boolean;
  readonly onRemove: () => void;
}

function ChosenFile({ file, isDisabled, onRemove }: ChosenFileProps) {
  return (
    <Group gap="xs" justify="space-between" wrap="nowrap">
      <Group gap="xs" wrap="nowrap" miw={0}>
        <FileText size={16} aria-hidden />
        <Text size="sm" truncate title={file.name}>
          {file.name}
        </Text>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {byteText(file.size)}
        </Text>
      </Group>
      <Button variant="subtle" size="compact-sm" disabled={isDisabled} onClick={onRemove}>
        Remove
      </Button>
    </Group>
  );
}
