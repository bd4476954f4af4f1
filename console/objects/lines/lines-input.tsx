import { Button, Group, Text, Textarea } from '@mantine/core';
import { FileText } from 'lucide-react';
import type { ClipboardEvent } from 'react';
import type { ShownField } from '../../field-tables.ts';
import { byteText } from '../../parts/byte-text.ts';
import { DropArea } from '../../parts/drop-area.tsx';

/** Lines to be sent: of a file, or typed. */
export interface NewLines {
  readonly file?: File | undefined;
  readonly text: string;
}

/** No lines yet. */
export const noLines: NewLines = { text: '' };

/** The lines as they are sent; undefined where there are none. */
export const blobOf = ({ file, text }: NewLines): Blob | undefined =>
  file ?? (text.trim() === '' ? undefined : new Blob([text]));

/** More than this in a box that is typed into makes a browser slow; it is kept as a file instead. */
const pastedMax = 200_000;

interface InputProps {
  readonly field: ShownField;
  readonly lines: NewLines;
  readonly isDisabled: boolean;
  readonly reason?: string | undefined;
  readonly onChange: (lines: NewLines) => void;
}

/** Takes lines as a file, dropped or chosen, or as a text. */
export function LinesInput({ field, lines, isDisabled, reason, onChange }: InputProps) {
  const { file, text } = lines;
  if (file) {
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
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={isDisabled}
          onClick={() => onChange({ text, file: undefined })}
        >
          Remove
        </Button>
      </Group>
    );
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (pasted.length < pastedMax) return;
    event.preventDefault();
    onChange({ text, file: new File([text, pasted], 'pasted lines', { type: 'text/plain' }) });
  };
  return (
    <>
      <DropArea
        accept=".txt,.csv,.list,text/plain,text/csv"
        isDisabled={isDisabled}
        title={reason}
        onFile={(chosen) => onChange({ text, file: chosen })}
      >
        or drop one here: text, one entry a line, up to 64 MB
      </DropArea>
      <Textarea
        label="Or paste lines"
        description={field.help}
        autosize
        minRows={5}
        maxRows={14}
        ff="monospace"
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
