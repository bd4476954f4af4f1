import { isUtf8 } from 'node:buffer';
import { type JSONVisitor, visit } from 'jsonc-parser';
import { type Fault, faultsShownMax, pathOf, Refusal } from '../../fields/fault.ts';

/** With faults that a parser silently ignores. */
export interface JsonBody {
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /** Too deep to look further. */
  readonly isTooDeep: boolean;
}

const depthMax = 32;

/** Longer bodies are for `readLargeJson`, because they take long. */
export const plainBytesMax = 1024 * 1024;

class TooDeep extends Error {}

/** At most one more than an answer shows. Throws `TooDeep`. */
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
          Message: 'appears twice; send it once',
        });
      }
      names?.add(name);
    },
  };
  return { visitor, faults };
}

/** Repeated names, of which parsers silently keep the last, and deep nesting. */
function structureFaults(text: string): Omit<JsonBody, 'value'> {
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

/** Refuses with `not_json`. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal('not_json', `The body is not JSON: ${reason}`);
  }
}

export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Refuses with `not_json`. */
export function assertUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Refusal('not_json', 'The body is not JSON: it is not UTF-8 text');
}

/** Up to 1 MiB. Refuses with `not_json`; other faults come after the role's check (reference, W2). */
export function readJsonBody(bytes: Buffer): JsonBody {
  if (bytes.length === 0) throw new Refusal('not_json', 'The body is empty; send a JSON object');
  assertUtf8(bytes);
  const text = withoutByteOrderMark(bytes.toString('utf8'));
  return { value: parseJsonText(text), ...structureFaults(text) };
}
