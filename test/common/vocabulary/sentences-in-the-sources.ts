import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isProblemCode } from '../../../src/common/vocabulary/problems.js';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));

/** Their sentences are for whoever runs a command or the process, not for a client. */
const ELSEWHERE =
  /^((cli|client|config|database\/embedded|demo|extraction|jobs|mail|story|vocabulary)\/|database\/service-role-check)/;

/** How a sentence begins that completes the path of a value: "name must not be empty". */
const FAULT = /^(must|is|are|was|has|names|cannot|does|may|can|needs|takes) (?!null\b)/;

/** Texts of these are for the OpenAPI document, the log, or PostgreSQL. */
const NOT_FOR_ANSWERS = new Set(['description', 'summary', 'comment', 'sql', 'headers']);

/** Which argument of these is a sentence that is answered; it also is what follows the code of a problem. */
const ANSWERED: Record<string, number> = {
  invalidValue: 1,
  malformedBody: 0,
  Problem: 1,
  unavailable: 2,
  rateLimited: 1,
};

export interface Sentence {
  /** With `{}` for what is filled in. */
  readonly text: string;
  readonly file: string;
}

/** Every sentence in `src/` that can stand in `detail` or `errors` of a problem document. */
export function sentencesInTheSources(): Promise<Sentence[]> {
  return foundInTheSources((source) => sentencesIn(source));
}

/** Every sentence in `src/` that says what is wrong with one value. */
export function sentencesAboutValues(): Promise<Sentence[]> {
  return foundInTheSources((source) => sentencesIn(source, { invalidValue: 1 }));
}

async function foundInTheSources(find: (source: string) => string[]): Promise<Sentence[]> {
  const names = (await readdir(SOURCES, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !ELSEWHERE.test(name) && !name.includes('migrations/'),
  );
  const found = await Promise.all(
    names.map(async (file) =>
      find(await readFile(path.join(SOURCES, file), 'utf8')).map((text) => ({ text, file })),
    ),
  );
  return found.flat();
}

/** @param answered which argument of which function is a sentence */
export function sentencesIn(source: string, answered = ANSWERED): string[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  const constants = new Map<string, ts.Expression>();
  const sentences = new Set<string>();

  function collectConstants(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, collectConstants);
  }

  function addAll(expression: ts.Expression): void {
    const text = textOf(expression);
    if (text !== null) sentences.add(text);
    else if (ts.isConditionalExpression(expression)) {
      addAll(expression.whenTrue);
      addAll(expression.whenFalse);
    } else if (ts.isIdentifier(expression)) {
      const initializer = constants.get(expression.text);
      if (initializer) addAll(initializer);
    }
  }

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isPropertyAssignment(node) && NOT_FOR_ANSWERS.has(node.name.getText(file))) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = node.expression.getText(file);
      if (/^(.*Error|this\.log\.\w+|log\.\w+|.*\.query)$/.test(name)) return;
      const [first] = node.arguments ?? [];
      const isAboutProblem =
        'Problem' in answered &&
        first !== undefined &&
        ts.isStringLiteral(first) &&
        isProblemCode(first.text);
      const argument = node.arguments?.[answered[name] ?? (isAboutProblem ? 1 : Infinity)];
      if (argument) addAll(argument);
    }
    const text = textOf(node);
    if (text !== null) {
      if (FAULT.test(text)) sentences.add(text);
      return;
    }
    ts.forEachChild(node, visit);
  }

  collectConstants(file);
  visit(file);
  return [...sentences];
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}
