import type { ShownField } from '../../field-tables.ts';
import { type Content, ContentInput } from '../../parts/content-input.tsx';

interface InputProps {
  readonly field: ShownField;
  readonly lines: Content;
  readonly isDisabled: boolean;
  readonly reason?: string | undefined;
  readonly onChange: (lines: Content) => void;
}

/** Takes lines of a list as a file or as a text. */
export function LinesInput({ field, lines, ...others }: InputProps) {
  return (
    <ContentInput
      content={lines}
      label="Or paste lines"
      description={field.help}
      accept=".txt,.csv,.list,text/plain,text/csv"
      fileHint="or drop one here: text, one entry a line, up to 64 MB"
      {...others}
    />
  );
}
