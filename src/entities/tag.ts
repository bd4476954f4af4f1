import { identity, status } from '../fields/derived.ts';
import { required } from '../fields/field.ts';
import { section } from '../fields/section.ts';
import { text } from '../fields/text.ts';
import { defineEntity } from './entity.ts';

export const tag = defineEntity({
  key: 'Tag',
  title: 'Tag',
  help: 'a label for finding objects',
  wrapper: 'Tag',
  path: 'tag',
  documented: [],
  fields: {
    ...identity,
    ...section('General', {
      Name: required(text({ help: 'Name of the tag', example: 'Premium' })),
      Color: text({ help: 'Color to show it in', example: '#2a7', max: 64 }),
    }),
    ...status,
  },
});
