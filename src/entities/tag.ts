import { identity, state } from '../fields/derived.ts';
import { required } from '../fields/field.ts';
import { text } from '../fields/text.ts';
import { defineEntity } from './entity.ts';

/** A label for objects. */
export const tag = defineEntity({
  key: 'Tag',
  title: 'Tag',
  wrapper: 'Tag',
  path: 'tag',
  documented: [],
  fields: {
    ...identity,
    Name: required(text({ help: 'Name of the tag', example: 'Premium' })),
    Color: text({ help: 'Color to show it in', example: '#2a7', max: 64 }),
    ...state,
  },
});
