import { Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ShownEntity, ShownField } from '../../field-tables.ts';
import type { Content } from '../../parts/content.ts';
import { ContentInput } from '../../parts/content-input.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { askSheets } from '../../sheets/ask-sheets.ts';
import { OfferConversion } from './offer-conversion.tsx';

interface InputProps {
  readonly entity: ShownEntity;
  readonly field: ShownField;
  readonly lines: Content;
  readonly isDisabled: boolean;
  readonly reason?: string | undefined;
  readonly onChange: (lines: Content) => void;
}

/** The first sheet of an XLSX file as text, under its name. */
async function sheetAsText(file: File): Promise<File> {
  const { text } = await askSheets({ kind: 'lines', of: file });
  return new File([text], file.name, { type: 'text/plain' });
}

/** Takes lines of a list as a file or as a text, and offers to convert tables and addresses. */
export function LinesInput({ entity, field, lines, onChange, ...others }: InputProps) {
  const reading = useMutation({ mutationFn: sheetAsText });
  const choose = (content: Content) => {
    reading.reset();
    const { file, text } = content;
    if (file === undefined || !/\.xlsx$/i.test(file.name)) return onChange(content);
    reading.mutate(file, { onSuccess: (read) => onChange({ text, file: read }) });
  };
  return (
    <>
      <ContentInput
        content={lines}
        label="Or paste lines"
        description={field.help}
        accept=".txt,.csv,.xlsx,.list,text/plain,text/csv"
        fileHint="or drop one here: text, CSV or XLSX, one entry per line, up to 64 MB"
        onChange={choose}
        {...others}
        isDisabled={others.isDisabled || reading.isPending}
      />
      {reading.isPending && <Skeleton h={60} aria-label="Reading the file" />}
      {reading.error && <ErrorNote error={reading.error} />}
      {!others.isDisabled && <OfferConversion entity={entity} lines={lines} onChange={onChange} />}
    </>
  );
}
