import { useState } from 'react';
import { JsonArea } from '../../parts/json-area.tsx';
import { isSame } from './draft.ts';
import { boxProps, type InputProps } from './input-props.ts';

/** The value of a text; what is no JSON is the text itself, which the server refuses. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value made of parts, as JSON: typed as one likes, as long as it means the same. */
export function ObjectInput(props: InputProps) {
  const { field, value, error, errorPath = '', onChange } = props;
  const [typed, type] = useState<string>();
  const none = field.form.type === 'array' ? [] : {};
  const stored = typeof value === 'string' ? value : JSON.stringify(value ?? none, undefined, 2);
  const text = typed !== undefined && isSame(parsed(typed), value) ? typed : stored;
  return (
    <JsonArea
      {...boxProps(props)}
      text={text}
      refusal={typeof error === 'string' ? { path: errorPath, message: error } : undefined}
      onText={(next) => {
        type(next);
        onChange(parsed(next));
      }}
    />
  );
}
