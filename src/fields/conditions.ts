import { Type } from 'typebox';
import { documentField, type FieldOptions } from './field.ts';
import { intMax } from './number.ts';

const valuesMax = 1000;
const closed = { additionalProperties: false };
const oneOf = <Word extends string>(words: readonly Word[], description: string, labels?: object) =>
  Type.Enum([...words], { type: 'string', description, ...(labels && { 'x-labels': labels }) });

export function conditions<Name extends string>(
  row: FieldOptions & { on: readonly Name[]; values: string; max: number },
) {
  const { on, values, max, ...rest } = row;
  const operators = { In: 'Is one of the values', NotIn: 'Is not one of the values' };
  const item = Type.Object(
    {
      Field: oneOf(on, 'What is compared'),
      Operator: oneOf(['In', 'NotIn'] as const, 'How it is compared', operators),
      Values: Type.Array(
        Type.Union([Type.String({ maxLength: 256 }), Type.Integer({ minimum: 0, maximum: intMax })]),
        { maxItems: valuesMax, description: values },
      ),
    },
    closed,
  );
  return documentField(Type.Array(item, { maxItems: max }), { omitted: [], ...rest });
}

export function orders(row: FieldOptions & { max: number }) {
  const { max, ...rest } = row;
  const directions = { Asc: 'Smallest first', Desc: 'Largest first' };
  const item = Type.Object(
    {
      Field: Type.String({ maxLength: 32, description: 'What is compared' }),
      Direction: Type.Optional(oneOf(['Asc', 'Desc'] as const, 'Absent = Asc', directions)),
    },
    closed,
  );
  return documentField(Type.Array(item, { maxItems: max }), { omitted: [], ...rest });
}
