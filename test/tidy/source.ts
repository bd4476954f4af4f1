import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** A source file with what the checks ask of it. Paths are relative to the project's folder, with `/`. */
export interface Source {
  readonly path: string;
  readonly statements: number;
  /** Written by a tool, not by hand: its header says so. */
  readonly generated: boolean;
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionSpan[];
  readonly documented: readonly Documented[];
}

export interface Import {
  readonly line: number;
  readonly specifier: string;
  /** The imported file's path; undefined for packages and for Node's own modules. */
  readonly target: string | undefined;
  /** Gone when types are stripped. `import { type A }` is not: it still loads the module. */
  readonly typeOnly: boolean;
}

/** A declaration with a doc comment. */
export interface Documented {
  readonly line: number;
  readonly name: string;
  /** Without the signs of a comment. */
  readonly comment: string;
  /** The declaration without its body: names and types. */
  readonly signature: string;
}

export interface FunctionSpan {
  readonly line: number;
  /** Those of functions within it included; the expression of an arrow function is one. */
  readonly statements: number;
  /** Undefined for a bare callback. */
  readonly name: string | undefined;
}

/** All TypeScript and JavaScript files in these folders, parsed. A folder that is absent holds none. */
export function readSources(root: string, folders: readonly string[]): Source[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,js}`);
  const paths = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', 'console/dist/**'] });
  return paths
    .sort()
    .map((path) => parseSource(path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')));
}

export function parseSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const nodes = descendants(file);
  return {
    path,
    statements: statementsIn(nodes),
    generated: /@generated|auto-generated/i.test(text.slice(0, 500)),
    imports: nodes.flatMap((node) => importOf(node, file) ?? []),
    functions: nodes.filter(hasBody).map((node) => functionSpan(node, file)),
    documented: nodes.flatMap((node) => documentedBy(node, file) ?? []),
  };
}

function descendants(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    found.push(child);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}

function importOf(node: ts.Node, file: ts.SourceFile): Import | undefined {
  const named = moduleNamedIn(node);
  if (named === undefined || !ts.isStringLiteralLike(named.module)) return undefined;
  const specifier = named.module.text;
  const relative = specifier.startsWith('.');
  return {
    line: lineOf(node.getStart(file), file),
    specifier,
    target: relative ? posix.join(posix.dirname(file.fileName), specifier) : undefined,
    typeOnly: named.typeOnly,
  };
}

/** Imports and re-exports, `import('…')` as a call and as a type, and `new URL('…', import.meta.url)`. */
function moduleNamedIn(node: ts.Node): { module: ts.Node; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node)) {
    return {
      module: node.moduleSpecifier,
      typeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { module: node.moduleSpecifier, typeOnly: node.isTypeOnly };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { module: node.argument.literal, typeOnly: true };
  }
  const [first] =
    (ts.isCallExpression(node) && loadsModule(node)) || isModuleUrl(node) ? (node.arguments ?? []) : [];
  return first && { module: first, typeOnly: false };
}

const loadsModule = (call: ts.CallExpression) => call.expression.kind === ts.SyntaxKind.ImportKeyword;

const isModuleUrl = (node: ts.Node): node is ts.NewExpression =>
  ts.isNewExpression(node) && node.expression.getText() === 'URL' && /\.[jt]s['"]/.test(node.getText());

const hasBody = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

function functionSpan(node: ts.FunctionLikeDeclaration, file: ts.SourceFile): FunctionSpan {
  const line = lineOf(node.getStart(file), file);
  return { line, statements: statementsIn(descendants(node)), name: functionName(node, file) };
}

const isArrow = (node: ts.Node) => ts.isArrowFunction(node) && !ts.isBlock(node.body);

const statementsIn = (nodes: readonly ts.Node[]) =>
  nodes.filter((node) => (ts.isStatement(node) && !ts.isBlock(node)) || isArrow(node)).length;

function functionName(node: ts.FunctionLikeDeclaration, file: ts.SourceFile): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (node.name) return node.name.getText(file);
  const { parent } = node;
  const assigned = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return assigned ? parent.name.getText(file) : undefined;
}

/** Of a statement that declares several things, the first counts. */
function documentedBy(node: ts.Node, file: ts.SourceFile): Documented | undefined {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
  if (!comment || comment.parent !== node) return undefined;
  const declared = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
  const name = declared && ts.getNameOfDeclaration(declared as ts.Declaration);
  if (!name) return undefined;
  const [ofFunction] = descendants(declared).filter(ts.isFunctionLike);
  const work = ts.isFunctionLike(declared) ? declared : ofFunction;
  const typed = ts.isVariableDeclaration(declared) || ts.isPropertySignature(declared);
  const parts = [name, typed && declared.type, ...(work?.parameters ?? []), work?.type];
  return {
    line: lineOf(node.getStart(file), file),
    name: name.getText(file),
    comment: comment.getText(file).replaceAll(/^\/\*\*|\*\/$|^\s*\*/gm, ''),
    signature: parts.map((part) => (part ? part.getText(file) : '')).join(' '),
  };
}

const lineOf = (position: number, file: ts.SourceFile) =>
  file.getLineAndCharacterOfPosition(position).line + 1;
