/**
 * The mutations of a source file: what the instrumenter of StrykerJS would switch on, as edits of the text.
 */
import { Instrumenter } from '@stryker-mutator/instrumenter';

export interface Mutation {
  /** Path from the top of the checkout, '/' between its parts. */
  readonly file: string;
  /** First line of what is replaced, from 1. */
  readonly line: number;
  /** Name of the rule that makes it, for instance ArithmeticOperator. */
  readonly rule: string;
  /** Offsets in the text, the end excluded. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Rules that touch words and shapes rather than what is computed. */
const LEFT_OUT = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex', 'OptionalChaining'];

const silent = () => false;
const logger = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].flatMap((level) => [
    [level, () => {}],
    [`is${level[0]!.toUpperCase()}${level.slice(1)}Enabled`, silent],
  ]),
);

export async function mutationsOf(file: string, text: string): Promise<Mutation[]> {
  const instrumenter = new Instrumenter(logger as unknown as ConstructorParameters<typeof Instrumenter>[0]);
  const { mutants } = await instrumenter.instrument([{ name: file, mutate: true, content: text }], {
    plugins: null,
    ignorers: [],
    excludedMutations: LEFT_OUT,
  });
  const lineStarts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lineStarts.push(i + 1);
  return mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ location: { start, end }, mutatorName, replacement }) => ({
      file,
      line: start.line + 1,
      rule: mutatorName,
      start: lineStarts[start.line]! + start.column,
      end: lineStarts[end.line]! + end.column,
      replacement,
    }));
}

export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
