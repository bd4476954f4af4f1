import { intMax } from '../../fields/number.ts';
import { type Parameter, text } from '../endpoint/parameter.ts';

export function idsParameter(idsMax: number): Parameter<readonly number[]> {
  return {
    ...text({
      help: `IDs separated by commas, at most ${idsMax}; absent = all, if there are no more than that`,
      schema: { type: 'string' },
      example: '1',
      check(value) {
        const ids = value.split(',');
        if (ids.length > idsMax) return { Code: 'too_long', Message: `must have at most ${idsMax} IDs` };
        const isWrong = ids.some((id) => !/^[1-9]\d{0,9}$/.test(id) || Number(id) > intMax);
        return isWrong ? { Code: 'type', Message: 'must be IDs separated by commas, like 1,2' } : undefined;
      },
    }),
    read: (value) => [...new Set(value.split(',').map(Number))],
  };
}
