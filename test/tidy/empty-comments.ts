import type { Finding } from './finding.ts';
import type { Documented, Source } from './source.ts';

/** Words that tell nothing by themselves. */
const fillers = new Set(
  `a all also an and any are as at be been by can do does each every for from given had has have here how in into is it
its just made make makes may no not of on one only or out own so some still such than that the their them then there
these they this those to up was were what when where whether which who with yet`.split(/\s+/),
);

/** Roughly: `caches`, `cached` and `caching` have one. */
const stemOf = (word: string) =>
  word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|s|e)$/, '')
    .replace(/(.)\1$/, '$1');

const wordsOf = (text: string) => text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').match(/[\p{L}\d]+/gu) ?? [];

function saysNothing({ comment, signature }: Documented): boolean {
  const known = new Set(wordsOf(signature).map(stemOf));
  const words = wordsOf(comment).filter((word) => !fillers.has(word.toLowerCase()));
  return words.length > 0 && !/\d|@/.test(comment) && words.every((word) => known.has(stemOf(word)));
}

/** Doc comments that only repeat the name, the parameters and the types of what they are about. */
export const emptyComments = (sources: readonly Source[]): Finding[] =>
  sources
    .filter(({ generated }) => !generated)
    .flatMap(({ path, documented }) =>
      documented.filter(saysNothing).map(({ name, line }) => ({
        file: path,
        line,
        rule: `the comment on ${name} only repeats its name: say what the name cannot, or leave it out`,
      })),
    );
