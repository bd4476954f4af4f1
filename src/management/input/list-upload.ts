import { createHash } from 'node:crypto';
// Its types, also for the console, whose build comes here for the configuration's form.
import type {} from '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { Entity } from '../../entities/entity.ts';
import { type Fault, invalid, pathOf, Refusal } from '../../fields/fault.ts';
import { setOwnMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';

/** As it arrives, so that it is never in memory whole; with its SHA-256. */
async function readFile(file: AsyncIterable<Buffer>): Promise<{ text: string; hash: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const sum = createHash('sha256');
  let text = '';
  try {
    for await (const bytes of file) {
      sum.update(bytes);
      text += decoder.decode(bytes, { stream: true });
    }
    return { text: text + decoder.decode(), hash: sum.digest('base64url') };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid([{ Path: 'File', Code: 'encoding', Message: 'must be UTF-8 text' }]);
  }
}

function fieldValue(entity: Entity, name: string, text: unknown): unknown {
  const accepts = Object.hasOwn(entity.fields, name) ? entity.fields[name]?.accepts : undefined;
  const isNumber = accepts && 'type' in accepts && accepts.type === 'integer';
  return isNumber && typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : text;
}

function fileFault(Message: string): Refusal {
  const fault: Fault = { Path: 'File', Code: 'required', Message };
  return invalid([fault]);
}

function linesTwice({ wrapper }: Entity): Fault {
  const Message = 'is sent together with `File`, which also contains the lines; send only one of them';
  return { Path: pathOf(wrapper, 'ListText'), Code: 'duplicate', Message };
}

/** A form that is cut off or malformed is the client's fault. */
function readingFault(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { code, statusCode, message } = error as FastifyError;
  if (code === 'FST_FILES_LIMIT') return fileFault('appears twice; send the lines as one file');
  return statusCode === 413 ? error : new Refusal('not_json', `The form cannot be read: ${message}`);
}

/** As the body that JSON would have been, with the form's own faults. */
export interface Upload {
  readonly body: unknown;
  readonly faults: readonly Fault[];
  /** Its fields, and the hash of its file. */
  readonly digest: string;
}

async function readParts(request: FastifyRequest, entity: Entity, bytesMax: number) {
  const values: Record<string, unknown> = Object.create(null);
  const faults: Fault[] = [];
  let fileName: string | undefined;
  let lines: Awaited<ReturnType<typeof readFile>> | undefined;
  for await (const part of request.parts({ limits: { fileSize: bytesMax, files: 1, fields: 20 } })) {
    if (part.type === 'field') {
      const Path = pathOf(entity.wrapper, part.fieldname);
      const isRepeated = Object.hasOwn(values, part.fieldname);
      if (isRepeated) faults.push({ Path, Code: 'duplicate', Message: 'appears twice; send it once' });
      setOwnMember(values, part.fieldname, fieldValue(entity, part.fieldname, part.value));
      continue;
    }
    if (part.fieldname !== 'File') throw fileFault(`is expected, not \`${part.fieldname.slice(0, 64)}\``);
    lines = await readFile(part.file);
    if (part.file.truncated) throw new Refusal('too_large', 'The request body is too large');
    fileName = part.filename;
  }
  if (lines !== undefined && 'ListText' in values) faults.push(linesTwice(entity));
  const digest = JSON.stringify({ ...values, File: [fileName, lines?.hash] });
  const text: Values = lines === undefined ? {} : { ListText: lines.text };
  return { values: { ...values, ...text }, faults, fileName, digest };
}

/** `multipart/form-data` (reference, "Lists"). Without `Name`, it is named after its file. */
export async function readUpload(request: FastifyRequest, entity: Entity, bytesMax: number): Promise<Upload> {
  const parts = await readParts(request, entity, bytesMax).catch((error) => {
    throw readingFault(error);
  });
  const { values, faults, fileName, digest } = parts;
  if (fileName === undefined) throw fileFault('is required: send the lines as one file');
  if (values.Name === undefined && values.Id === undefined) values.Name = fileName || 'List';
  return { body: { [entity.wrapper]: { ...values } }, faults, digest };
}
