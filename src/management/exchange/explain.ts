import {
  bidfloorExample,
  candidateExample,
  dealExample,
  explanationSchema,
  floorRuleExample,
} from '../../answers/explanation.ts';
import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { jsonType } from '../endpoint/media.ts';
import { notFoundFault } from '../post-answer.ts';
import { checkDraft } from './check-draft.ts';
import { questionSchema, readQuestion } from './explain-question.ts';
import { askServed } from './status.ts';
import { exchangeTag } from './tag.ts';

const unseen: Fault = {
  Path: 'Request',
  Code: 'not_found',
  Message: 'is required: the object has had no request since this process started',
};

const questionExample = {
  VastTag: { Id: 3 },
  Request: {
    Url: 'https://us-east.example.com/vast?zone=3&auth=…&ip=203.0.113.7&site_url=https://news.example/',
  },
  Draft: { DspVastTag: { Id: 7, Countries: [{ CC: 'US' }] } },
};

export const explainRequest = defineEndpoint({
  method: 'POST',
  path: '/api/exchange/explain',
  name: 'explainRequest',
  tag: exchangeTag,
  summary: 'Explain a request',
  description:
    'The outcome of a request to a zone URL, or of a bid request, if it came now: every connected demand object and every deal for it, including inactive ones, with its outcome or everything that refuses it. Nothing is counted and no demand is called, so every role may call it. `Draft` takes values that are not saved, of the object itself or, under the key of its entity, of one connected demand object with its `Id`: they are checked like an update, and only this explanation uses them.',
  access: reader,
  accepts: {
    media: { [jsonType]: { schema: questionSchema, example: () => questionExample } },
    read({ body, faults }) {
      if (faults.length > 0) throw invalid(faults);
      return readQuestion(body);
    },
  },
  returns: {
    description: 'The outcome of the request',
    schema: explanationSchema,
    example: () => ({
      Status: 'Ok',
      Outcome: 'no_bid',
      ...bidfloorExample,
      Field: '',
      Wanted: null,
      Met: null,
      Refusals: [],
      Candidates: [candidateExample],
      FloorRules: [floorRuleExample],
      Deals: [dealExample],
    }),
  },
  serve:
    (context) =>
    async ({ caller: { teamId }, body }) => {
      const draft = body.draft && (await checkDraft(context.store.reads(teamId), body, body.draft));
      const explain = () => context.exchange.explain({ teamId, ...body, draft });
      const explanation = await askServed(teamId, context, explain);
      if (explanation === 'unseen') throw invalid([unseen]);
      if (explanation) return explanation;
      throw invalid([notFoundFault(entityOf(body.kind), body.id)]);
    },
});
