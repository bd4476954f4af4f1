import { relative } from 'node:path';
import ts from 'typescript';
import type { Finding } from './finding.ts';

const rule =
  'a cast of what has no type: let the call of the API say it by its path, or ask (`rowsIn`, `hasMembers`)';

const untyped = ts.TypeFlags.Any | ts.TypeFlags.Unknown;

/** Casts of values without a type, in the files that `isOurs` picks: they claim what nobody has checked. */
export function uncheckedCasts(
  program: ts.Program,
  root: string,
  isOurs: (path: string) => boolean,
): Finding[] {
  const checker = program.getTypeChecker();
  const found: Finding[] = [];
  const isUntyped = (node: ts.Node) => (checker.getTypeAtLocation(node).flags & untyped) !== 0;
  for (const file of program.getSourceFiles()) {
    const path = relative(root, file.fileName);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isAsExpression(node) || !isUntyped(node.expression) || isUntyped(node.type)) return;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ file: path, line: line + 1, rule });
    };
    if (isOurs(path)) visit(file);
  }
  return found;
}
