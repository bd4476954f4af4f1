import { Button, Group, Textarea, type TextareaProps } from '@mantine/core';
import { placeIn, placeOfPath, readJson, type TextPlace } from './json-places.ts';

interface JsonAreaProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What the server refuses of it: the path from the text's own value on, `""` for all of it. */
  readonly refusal?: { readonly path: string; readonly message: string } | undefined;
}

const placeText = ({ line, column }: TextPlace, path: string, message: string) =>
  `Line ${line}, column ${column}${path === '' ? '' : ` (${path})`}: ${message}`;

function faultText(text: string, refusal: JsonAreaProps['refusal']): string | undefined {
  const { fault } = readJson(text);
  if (fault) return placeText(placeIn(text, fault.offset), fault.path, fault.message);
  return refusal && placeText(placeOfPath(text, refusal.path), refusal.path, refusal.message);
}

/** A text of JSON, which says where it is wrong, and is formatted when that is asked for. */
export function JsonArea({ text, onText, refusal, ...props }: JsonAreaProps) {
  const isRead = text.trim() !== '';
  const canFormat = isRead && props.disabled !== true && readJson(text).fault === undefined;
  return (
    <div>
      <Textarea
        autosize
        minRows={3}
        maxRows={24}
        ff="monospace"
        spellCheck={false}
        {...props}
        error={isRead ? (faultText(text, refusal) ?? props.error) : props.error}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      <Group justify="flex-end" mt={4}>
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={!canFormat}
          onClick={() => onText(JSON.stringify(JSON.parse(text), undefined, 2))}
        >
          Format
        </Button>
      </Group>
    </div>
  );
}
