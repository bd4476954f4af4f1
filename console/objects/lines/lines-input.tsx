import type { ShownEntity, ShownField } from '../../field-tables.ts';
import type { Content } from '../../parts/content.ts';
import { ContentInput } from '../../parts/content-input.tsx';
import { OfferConversion } from './offer-conversion.tsx';

interface InputProps {
  readonly entity: ShownEntity;
  readonly field: ShownField;
  readonly lines: Content;
  readonly isDisabled: boolean;
  readonly reason?: string | undefined;
  readonly onChange: (lines: Content) => void;
}

/** Takes lines of a list as a file or as a text, and offers to convert tables and addresses. */
export function LinesInput({ entity, field, lines, ...others }: InputProps) {
  return (
    <>
      <ContentInput
        content={lines}
        label="Or paste lines"
        description={field.help}
        accept=".txt,.csv,.list,text/plain,text/csv"
        fileHint="or drop one here: text, one entry per line, up to 64 MB"
        {...others}
      />
      {!others.isDisabled && <OfferConversion entity={entity} lines={lines} onChange={others.onChange} />}
    </>
  );
}
