import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { callOf, send } from '../call.ts';
import { type ConfigDocument, exportConfig } from '../config/export.ts';
import type { PlanEntry } from '../config/plan.ts';
import { type Prepared, prepare } from '../config/prepare.ts';
import type { Answer, Call, Context } from '../context.ts';
import { type QueryParameter, readNumbers } from '../input/query.ts';
import { unwrap } from '../input/wrapper.ts';
import { perform, writeParameters } from '../perform.ts';

/** Key of the bodies that hold a document. */
export const configWrapper = 'Config';

const bodyBytesMax = 64 * 1024 * 1024;
/** Room for 40,000 objects with all their fields. */
const besideTextsMax = 16 * 1024 * 1024;

/** What plan and apply take in the query beside what every POST takes. */
export const configParameters: readonly QueryParameter[] = [
  {
    name: 'DeactivateMissing',
    help: '1 = active objects of the team that the document does not name are deactivated; else they are left alone',
    max: 1,
  },
];

/** A document as JSON, object by object. */
async function* inPieces({ Version, ...sections }: ConfigDocument): AsyncGenerator<string> {
  yield `{"Version":${Version}`;
  for (const [entity, objects] of Object.entries(sections)) {
    let before = `,${JSON.stringify(entity)}:[`;
    for (const object of [objects].flat()) {
      yield before + JSON.stringify(object);
      before = ',';
      await turn();
    }
    yield ']';
  }
  yield '}';
}

function answerOf(entries: readonly PlanEntry[]) {
  return { body: JSON.stringify({ Status: 'Ok', Plan: entries }) };
}

async function serveExport({ store }: Context, { bearer, query }: Call): Promise<Answer> {
  readNumbers([], query);
  return { body: inPieces(await exportConfig(store, bearer)) };
}

/** How each step is done. A plan changes nothing, so it is made anew whatever `Idempotency-Key` comes with it. */
const steps = {
  plan: async (_context: Context, _call: Call, { plan }: Prepared) => answerOf(await plan()),
  apply: async (context: Context, call: Call, { beginApply }: Prepared) => {
    const apply = await beginApply();
    return perform(context, call, async (transaction) => answerOf(await apply(transaction)));
  },
} as const;

async function serveDocument(context: Context, call: Call, step: keyof typeof steps): Promise<Answer> {
  const { bearer, body, faults, query } = call;
  const { DeactivateMissing, ...rest } = readNumbers([...writeParameters, ...configParameters], query);
  const document = unwrap(configWrapper, body);
  const prepared = await prepare(context.store, bearer, document, {
    deactivateMissing: DeactivateMissing === 1,
    faults,
  });
  return steps[step](context, { ...call, query: rest }, prepared);
}

/** A team's configuration as one document: export, plan, apply (decisions, "Configuration as code"). */
export function registerConfig(app: FastifyInstance, context: Context): void {
  app.get('/api/config/export', async (request, reply) =>
    send(reply, await serveExport(context, callOf(request))),
  );
  for (const step of ['plan', 'apply'] as const) {
    app.post(
      `/api/config/${step}`,
      { config: { writes: step === 'apply', besideTextsMax }, bodyLimit: bodyBytesMax },
      async (request, reply) => send(reply, await serveDocument(context, callOf(request), step)),
    );
  }
}
