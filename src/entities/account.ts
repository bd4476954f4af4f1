import { referenceOrNone } from '../fields/connection.ts';
import { accountManager } from '../fields/derived.ts';
import { forDelivery, forOwner, required } from '../fields/field.ts';
import { section } from '../fields/section.ts';
import { country, mail, text } from '../fields/text.ts';

export const account = forOwner(
  section('Contact', {
    Mail: required(mail({ help: 'E-mail address' })),
    Name: forDelivery(required(text({ help: 'Name of the company', example: 'Example Media' }))),
    Description: text({ help: 'Free text', max: 65_536 }),
    Website: text({ help: 'Website', example: 'https://example.com' }),
    Country: required(country({ help: 'Country code of /api/info/countries' })),
    City: text({ help: 'City' }),
    ZipCode: text({ help: 'Postal code' }),
    Address: text({ help: 'Street address' }),
    Phone: text({ help: 'Phone number' }),
    MsgApp: text({ help: 'Preferred messaging application', example: 'Telegram' }),
    MsgAccount: text({ help: 'Account in that messaging application' }),
  }),
  ['Mail', 'Name', 'Website', 'Country', 'City', 'ZipCode', 'Address', 'Phone', 'MsgApp', 'MsgAccount'],
);

/** Whoever added the account, unless another user is named. */
export const managedBy = {
  ...section('General', {
    AccManagerId: {
      ...referenceOrNone({
        to: 'User',
        help: 'ID of the user who manages the account, 0 = nobody; omitted or 0 in an add = the user who adds it',
        explanation: 'Who manages the account; if nobody is chosen, whoever adds it',
      }),
      place: { kind: 'manager', part: 'id' },
    } as const,
  }),
  AccManagerName: accountManager.AccManagerName,
} as const;
