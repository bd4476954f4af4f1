import type { AnswerTo } from '../api/answers.ts';
import type { ApiRequest } from '../api/call.ts';

type PlanAnswer = AnswerTo<'api/config/plan'>;

/** One thing that a plan says is to be done with one object. */
export type PlanEntry = PlanAnswer['Plan'][number];

/** What a document does, and what it warns of. */
export type ConfigPlan = Pick<PlanAnswer, 'Plan' | 'Warnings'>;

/** Asks what a document would do, or does it. */
export interface DocumentQuestion {
  readonly kind: 'plan' | 'apply';
  readonly content: Blob;
  readonly name: string;
  readonly isMissingDeactivated: boolean;
}

/** Asks for the team's configuration. */
export const exportRequest = { path: 'api/config/export' } satisfies ApiRequest;

/** Sends a document, which stands for a file of JSON until it is read. */
export const documentRequest = ({
  kind,
  isMissingDeactivated,
}: Pick<DocumentQuestion, 'kind' | 'isMissingDeactivated'>) =>
  ({
    path: `api/config/${kind}`,
    query: { DeactivateMissing: isMissingDeactivated ? 1 : undefined },
    body: {},
    file: { member: 'Config', name: 'bourse.json' },
  }) satisfies ApiRequest;

/** Asks for the team's configuration as YAML. */
export interface ExportQuestion {
  readonly kind: 'export';
}

/** What the worker is asked; `base` is the page's base address. */
export type ConfigQuestion = (DocumentQuestion | ExportQuestion) & { readonly base: string };

export interface ConfigAnswers {
  readonly plan: ConfigPlan;
  readonly apply: ConfigPlan;
  readonly export: Blob;
}
