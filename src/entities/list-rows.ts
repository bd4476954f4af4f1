import { forDelivery, required } from '../fields/field.ts';
import { flag } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { text } from '../fields/text.ts';

export const listRows = section('General', {
  Name: required(text({ help: 'Name of the list', example: 'Blocked inventory' })),
  Global: forDelivery(flag({ help: '1 = applies to every object of the team as a blacklist' })),
});
