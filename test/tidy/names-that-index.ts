import { dirname, relative } from 'node:path';
import ts from 'typescript';
import type { Finding } from './finding.ts';

const rule =
  'a name that may come from outside indexes a plain object: use a Map, `ownMember`, or ask `Object.hasOwn` first';

/** Types that hold any text. Literals, `keyof T` and parameters of generic functions name what is known. */
const anyText = ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TemplateLiteral;

const holdsAnyText = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(holdsAnyText) : (type.flags & anyText) !== 0;

function enclosingFunction(node: ts.Node): ts.Node {
  let at = node.parent;
  while (!ts.isFunctionLike(at) && !ts.isSourceFile(at)) at = at.parent;
  return at;
}

/** Whether the function asks `Object.hasOwn` of this very object and name, or tells `__proto__` from other names. */
function isAsked(node: ts.ElementAccessExpression): boolean {
  const [object, name] = [node.expression.getText(), node.argumentExpression.getText()];
  const text = enclosingFunction(node).getText();
  return text.includes(`Object.hasOwn(${object}, ${name})`) || text.includes(`${name} === '__proto__'`);
}

/** Whether `for … in` of this very object gave the name: `for…in` of a plain object names its own members. */
function isFromForIn(node: ts.ElementAccessExpression): boolean {
  const [object, name] = [node.expression.getText(), node.argumentExpression.getText()];
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isForInStatement(at) || at.expression.getText() !== object) continue;
    if (at.initializer.getText() === `const ${name}`) return true;
  }
  return false;
}

/** `name in object`, which inherited members answer, too. */
const isNamedIn = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword;

/** Places where a text indexes an object, in the files that `isOurs` picks. */
function indexedPlaces(program: ts.Program, isOurs: (path: string) => boolean): ts.Expression[] {
  const checker = program.getTypeChecker();
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (isNamedIn(node) && holdsAnyText(checker.getTypeAtLocation(node.left))) found.push(node);
    if (!ts.isElementAccessExpression(node) || ts.isDeleteExpression(node.parent)) return;
    if (!holdsAnyText(checker.getTypeAtLocation(node.argumentExpression))) return;
    if (!isAsked(node) && !isFromForIn(node)) found.push(node);
  };
  for (const file of program.getSourceFiles()) if (isOurs(file.fileName)) visit(file);
  return found;
}

/** The program that a configuration describes, of its files below a folder. */
export function readProgram(root: string, folder: string, path = 'tsconfig.json'): ts.Program {
  const { config } = ts.readConfigFile(`${root}/${path}`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    { ...config, include: [folder] },
    ts.sys,
    dirname(`${root}/${path}`),
  );
  return ts.createProgram(fileNames, options);
}

const libraries = new Map<string, ts.SourceFile>();

/** A program of one file that is only a text. */
export function programOf(root: string, path: string, text: string): ts.Program {
  const options = {
    strict: true,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.esnext.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const own = ts.createSourceFile(`${root}/${path}`, text, ts.ScriptTarget.ESNext, true);
  host.getSourceFile = (name, ...rest) => {
    if (name === own.fileName) return own;
    const file = libraries.get(name) ?? getSourceFile(name, ...rest);
    if (file) libraries.set(name, file);
    return file;
  };
  return ts.createProgram([own.fileName], options, host);
}

/** Names that index plain objects, which hold `constructor` and `__proto__` whatever was put into them. */
export function namesThatIndex(program: ts.Program, root: string, folder: string): Finding[] {
  return indexedPlaces(program, (path) => path.startsWith(`${root}/${folder}/`)).map((node) => {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return { file: relative(root, file.fileName), line: line + 1, rule };
  });
}
