import ts from 'typescript';
import type { Finding } from './finding.ts';

/** An answer, and the members that its schema requires. */
export type DeclaredAnswer = readonly [name: string, members: readonly string[]];

/** Interfaces and types that list all members of an answer again, in place of its type. */
export function declaredTwice(path: string, text: string, answers: readonly DeclaredAnswer[]): Finding[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isInterfaceDeclaration(node) && !ts.isTypeLiteralNode(node)) return;
    const own = new Set(node.members.map(({ name }) => name?.getText(file)));
    for (const [name, members] of answers)
      if (members.every((member) => own.has(member)))
        found.push({
          file: path,
          line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
          rule: `declares ${name} again, which is in src/answers`,
        });
  };
  visit(file);
  return found;
}
