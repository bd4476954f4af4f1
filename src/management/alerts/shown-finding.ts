import { Type } from 'typebox';
import { closedObject, labelled } from '../../answers/wire-schema.ts';
import { alertEndings } from '../../reference/alert-conditions.ts';
import type { StoredFinding } from '../../store/alerts/interface.ts';

const isoOf = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString());
const nullable = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const time = (description: string) => Type.String({ description });

export const findingSchema = closedObject({
  Id: Type.Integer({ description: 'ID of the entry' }),
  AlertId: Type.Integer({ description: 'ID of the alert' }),
  Entity: Type.String({ description: 'Kind of the object; "" for all together' }),
  ObjectId: Type.Union([Type.Integer(), Type.Null()], {
    description: 'ID of the object; null for all together',
  }),
  ObjectName: Type.String({ description: 'Its name when the alert began to fire' }),
  Rule: Type.String({ description: 'The rule in words, as it was then' }),
  HeldSince: time('When the condition became true, before the alert fired (UTC)'),
  Began: time('When it fired'),
  Ended: time('When it ended; "" = it is still firing'),
  Ending: labelled({ '': 'It is firing now', ...alertEndings }, 'Why it ended'),
  ClearedSince: time(
    'When the condition stopped being true, while the alert still fires; "" = it is still true',
  ),
  FirstValue: nullable('The figure when it fired; null if the rule has no figure'),
  Compared: nullable('The figure it was compared with then; null if there was none'),
  LastValue: nullable('The latest figure'),
  Detail: Type.String({
    description: 'Further details, for example the total that the figure is a share of',
  }),
  Acknowledged: time('When somebody acknowledged it; "" = not yet'),
  AcknowledgedBy: Type.String({ description: 'Who acknowledged it' }),
  Note: Type.String({ description: 'The note of the person who acknowledged it' }),
});

export const shownFinding = (finding: StoredFinding) => ({
  Id: finding.findingId,
  AlertId: finding.alertId,
  Entity: finding.kind,
  ObjectId: finding.id || null,
  ObjectName: finding.name,
  Rule: finding.rule,
  HeldSince: isoOf(finding.heldSinceMs),
  Began: isoOf(finding.beganMs),
  Ended: isoOf(finding.endedMs),
  Ending: finding.ending,
  ClearedSince: isoOf(finding.clearedSinceMs),
  FirstValue: finding.firstValue,
  Compared: finding.compared,
  LastValue: finding.lastValue,
  Detail: finding.detail,
  Acknowledged: isoOf(finding.acknowledgedMs),
  AcknowledgedBy: finding.acknowledgedBy ?? '',
  Note: finding.note ?? '',
});
