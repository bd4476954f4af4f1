import { Type } from 'typebox';
import { activityNames } from '../reference/activities.ts';
import { consentStateHelp } from '../reference/consent-states.ts';
import { withholdingSchema } from './explanation.ts';
import { closedObject, labelled, named, okStatus, oneOf, type ReadonlyStatic } from './wire-schema.ts';

const text = (description: string) => Type.String({ description });
const integer = (description: string) => Type.Integer({ description });
const integers = (description: string) => Type.Array(Type.Integer(), { description });
const flag = (description: string) => Type.Integer({ description, enum: [0, 1] });

const tcfSchema = named(
  'ReadTcf',
  closedObject({
    PolicyVersion: integer('Version of the policies that it follows'),
    VendorListVersion: integer('Version of the vendor list that it was made with'),
    IsVendorListKnown: flag('0 = that version is not known here, so that only consent counts'),
    CreatedMs: integer('When it was first made, in milliseconds since 1970'),
    UpdatedMs: integer('When it was last changed, in milliseconds since 1970'),
    CmpId: integer('ID of the consent platform that made it'),
    CmpVersion: integer("Version of the platform's software"),
    PublisherCountry: text('ISO 3166-1 alpha-2 of the publisher\'s country; "" = not said'),
    HasPurposeOneTreatment: flag('1 = purpose 1 was not shown, since the country asks no consent to it'),
    PurposeConsents: integers('Purposes that the viewer consents to'),
    PurposeLegitimateInterests: integers(
      'Purposes with legitimate interest that the viewer does not object to',
    ),
    SpecialFeatures: integers('Special features that the viewer opted in to; 1 = the exact place'),
    PublisherRestrictions: integer('Number of restrictions that the publisher has set'),
    HasDisclosedVendors: flag('1 = it says which vendors were disclosed, as TCF 2.3 requires'),
  }),
);

const choicesSchema = named(
  'ReadChoices',
  closedObject({
    OptOuts: Type.Array(oneOf(['sale', 'sharing', 'targeted_advertising'], 'Opted out of'), {
      description: 'What the viewer opted out of',
    }),
    IsKnownChild: flag('1 = the viewer is known to be a child'),
    HasGpc: flag('1 = Global Privacy Control was on'),
  }),
);

const sources = {
  Consent: 'The TCF string',
  Gpp: 'A section of the GPP string, or all of it if it cannot be read',
  UsPrivacy: 'The US privacy string',
} as const;
export const signalFaults = {
  '': 'It can be read',
  broken: 'It is cut off, or no such string',
  absent: 'GppSid names the section, but the string does not have it',
  unknown: 'This exchange does not know the section',
} as const;

const signalSchema = named(
  'ReadSignal',
  closedObject({
    Source: labelled(sources, 'Where it stands'),
    Section: integer('ID of the GPP section; 0 = none'),
    Name: text('What it is, for example TCF EU'),
    Fault: labelled(signalFaults, 'Why it cannot be read; "" = it can'),
    Tcf: Type.Union([tcfSchema, Type.Null()]),
    Choices: Type.Union([choicesSchema, Type.Null()]),
  }),
);

export type ReadSignal = ReadonlyStatic<typeof signalSchema>;

const verdictMembers = {
  GvlId: integer('ID on the Global Vendor List; 0 = none'),
  Permitted: Type.Array(oneOf(activityNames as [(typeof activityNames)[number]], 'An activity'), {
    description: 'What a partner with this ID may do, or be told',
  }),
  Withheld: Type.Array(withholdingSchema, { description: 'What it may not, and why' }),
};
const verdictSchema = closedObject(verdictMembers);

const readingMembers = {
  State: labelled(consentStateHelp, 'What it says as a whole, as reports count it'),
  Signals: Type.Array(signalSchema, { description: 'What the strings say, one by one' }),
};
const readingSchema = closedObject({ ...readingMembers, Vendors: Type.Array(verdictSchema) });

/** What strings say, and what they permit vendors. */
export type ConsentReading = ReadonlyStatic<typeof readingSchema>;

export const consentAnswerSchema = named(
  'ConsentReading',
  closedObject({
    Status: okStatus,
    ...readingMembers,
    Partners: Type.Array(
      closedObject({
        ...verdictMembers,
        Objects: Type.Array(
          closedObject({
            Entity: text('Kind of the demand object'),
            Id: integer('Its ID'),
            Name: text('Its name'),
          }),
          { description: 'Demand objects that have this ID, or whose advertiser has it' },
        ),
      }),
      { description: "The team's demand, by its IDs on the Global Vendor List; campaigns are nobody else's" },
    ),
  }),
);

export type ConsentAnswer = ReadonlyStatic<typeof consentAnswerSchema>;

/** As they were sent; `""` = none. */
export interface SentConsent {
  readonly consent: string;
  readonly gpp: string;
  /** Undefined: all that the string has. */
  readonly gppSid: readonly number[] | undefined;
  readonly usPrivacy: string;
}
