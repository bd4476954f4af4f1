import { configText, readConfigText } from '../../src/management/config/config-text.ts';
import { answerQuestions } from '../api/answer-questions.ts';
import { sendRequest } from '../api/call.ts';
import {
  type ConfigAnswers,
  type ConfigPlan,
  type ConfigQuestion,
  type DocumentQuestion,
  documentRequest,
  exportRequest,
} from './config-question.ts';

async function textOf({ content, name }: DocumentQuestion): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await content.arrayBuffer());
  } catch {
    throw new Error(`${name} is not UTF-8 text`);
  }
}

/** Documents of JSON are read as such: that is a hundred times as fast. */
function documentIn(text: string, name: string): unknown {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // It may still be YAML, whose reader tells the line of a fault.
    }
  }
  return readConfigText(text, name);
}

async function send(question: DocumentQuestion, base: string): Promise<ConfigPlan> {
  const request = documentRequest(question);
  const body = { [request.file.member]: documentIn(await textOf(question), question.name) };
  const { data } = await sendRequest({ ...request, body }, { base });
  const { Plan, Warnings } = data;
  return { Plan, ...(Warnings && { Warnings }) };
}

async function exported(base: string): Promise<Blob> {
  const { data } = await sendRequest(exportRequest, { base });
  return new Blob([configText(data)], { type: 'application/yaml' });
}

answerQuestions<ConfigQuestion, ConfigAnswers[keyof ConfigAnswers]>((question) =>
  question.kind === 'export' ? exported(question.base) : send(question, question.base),
);
