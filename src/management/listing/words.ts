import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';
import { text } from '../endpoint/parameter.ts';
import { foldCase } from './listed-field.ts';

const charactersMax = 256;
const wordsMax = 10;

const wordsIn = (sent: string): readonly string[] => foldCase(sent).split(/\s+/).filter(Boolean);

export const wordsParameter = {
  ...text({
    help: `Only objects in whose name, ID or owner's name each of these words occurs, at most ${wordsMax}, separated by spaces; case is ignored`,
    schema: { type: 'string', maxLength: charactersMax },
    example: 'example 17',
    check(sent) {
      if (sent.length > charactersMax)
        return { Code: 'too_long', Message: `must have at most ${charactersMax} characters` };
      return wordsIn(sent).length > wordsMax
        ? { Code: 'too_long', Message: `must have at most ${wordsMax} words` }
        : undefined;
    },
  }),
  read: wordsIn,
};

/** The fields that words are looked for in, besides the ID. */
export const wordFields = ({ fields }: Entity): readonly string[] =>
  Object.keys(fields).filter(
    (name) => name === 'Name' || ownMember(fields, name)?.place.kind === 'ownerName',
  );

export function hasWords(
  words: readonly string[],
  names: readonly string[],
  values: Values,
  id: number,
): boolean {
  const searched = foldCase([id, ...names.map((name) => ownMember(values, name) ?? '')].join('\n'));
  return words.every((word) => searched.includes(word));
}
