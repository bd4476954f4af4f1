import { isUtf8 } from 'node:buffer';
import { type JSONVisitor, visit } from 'jsonc-parser';
import { type Fault, faultsShownMax, pathOf, Refusal } from '../../fields/fault.ts';

/** A body as JSON, with the faults that a parser silently passes over. */
export interface JsonBody {
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /** Nested so deep that nobody should look further into it. */
  readonly isTooDeep: boolean;
}

const depthMax = 32;
/** Longer bodies carry one long list text; looking for repeated names in them is not worth its time. */
const inspectedCharactersMax = 1024 * 1024;

/** Most bytes that a body may hold outside of its strings, unless its route says otherwise. */
const besideTextsBytesMax = 1024 * 1024;
const [space, quote, backslash] = [0x20, 0x22, 0x5c];

/** Whether a JSON text has more bytes than these outside of its strings, white space left out. */
function hasBesideTexts(bytes: Buffer, max: number): boolean {
  if (bytes.length <= max) return false;
  let [count, isInText] = [0, false];
  for (let at = 0; at < bytes.length && count <= max; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) isInText = !isInText;
    else if (isInText) at += byte === backslash ? 1 : 0;
    else if (byte > space) count += 1;
  }
  return count > max;
}

class TooDeep extends Error {}

/**
 * Follows a text's structure, and notes names that occur twice in an object, at most one more than an answer shows.
 * Throws `TooDeep`.
 */
function structureWatcher() {
  const faults: Fault[] = [];
  const open: Set<string>[] = [];
  const enter = () => {
    if (open.length === depthMax) throw new TooDeep();
    open.push(new Set());
  };
  const leave = () => {
    open.pop();
  };
  const visitor: JSONVisitor = {
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectBegin: enter,
    onObjectEnd: leave,
    onObjectProperty: (...[name, , , , , path]) => {
      const names = open.at(-1);
      if (names?.has(name) && faults.length <= faultsShownMax) {
        faults.push({
          Path: pathOf(...path(), name),
          Code: 'duplicate',
          Message: 'stands twice; send it once',
        });
      }
      names?.add(name);
    },
  };
  return { visitor, faults };
}

/** Finds names that occur twice in an object, of which a plain parser silently keeps the last, and deep nesting. */
function inspected(text: string): Omit<JsonBody, 'value'> {
  const { visitor, faults } = structureWatcher();
  try {
    visit(text, visitor);
    return { faults, isTooDeep: false };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const Message = `the body is nested deeper than ${depthMax} levels`;
    return { faults: [{ Path: '', Code: 'too_deep', Message }], isTooDeep: true };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal('not_json', `The body is not JSON: ${reason}`);
  }
}

/**
 * Reads a request body as JSON, whatever its content type says (decisions W3). Refuses with `not_json` what is empty,
 * not UTF-8 or not JSON, and with `too_large` what has too many bytes outside of its strings: a long string is parsed
 * at once, millions of members take half a minute. Names given twice and deep nesting are faults that are reported
 * later, because the caller's role is checked before them (decisions W2).
 */
export function readJsonBody(bytes: Buffer, besideTextsMax = besideTextsBytesMax): JsonBody {
  if (bytes.length === 0) throw new Refusal('not_json', 'The body is empty; send a JSON object');
  if (!isUtf8(bytes)) throw new Refusal('not_json', 'The body is not JSON: it is not UTF-8 text');
  if (hasBesideTexts(bytes, besideTextsMax)) {
    const mebibytes = besideTextsMax / 1024 / 1024;
    throw new Refusal(
      'too_large',
      `Beside its quoted texts the body holds more than ${mebibytes} MiB of JSON; send less at a time`,
    );
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const value = parsed(text);
  if (text.length > inspectedCharactersMax) return { value, faults: [], isTooDeep: false };
  return { value, ...inspected(text) };
}
