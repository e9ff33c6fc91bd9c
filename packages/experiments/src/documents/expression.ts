/**
 * Arithmetic in configs, such as `delta: 0.01/n`. Numbers, the variables n (users), d (domain) and s (items
 * per user), + - * / ^, parentheses, and log, sqrt, exp, min, max. Nothing else: a config is data, never
 * code.
 *
 *     sum    = term (('+' | '-') term)*
 *     term   = factor (('*' | '/') factor)*
 *     factor = '-' factor | power
 *     power  = atom ('^' factor)?
 *     atom   = number | name | name '(' sum (',' sum)* ')' | '(' sum ')'
 */
export interface ExpressionVariables {
  /** Users. */
  readonly n: number;
  /** Size of the domain. */
  readonly d: number;
  /** Items per user; 1 for categories. */
  readonly s: number;
}

export type Expression = (variables: ExpressionVariables) => number;

/** What is wrong with an expression, and where. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const FUNCTIONS: Readonly<
  Record<string, { readonly arity: number; readonly apply: (...x: number[]) => number }>
> = {
  log: { arity: 1, apply: Math.log },
  sqrt: { arity: 1, apply: Math.sqrt },
  exp: { arity: 1, apply: Math.exp },
  min: { arity: 2, apply: Math.min },
  max: { arity: 2, apply: Math.max },
};
const VARIABLES = ['n', 'd', 's'] as const;
const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z]+)|(.))/suy;
const DEEPEST = 100;

/** @throws ExpressionError */
export function parseExpression(text: string): Expression {
  const tokens = tokenize(text);
  let position = 0;
  let depth = 0;
  const peek = (): string | undefined => tokens[position];
  const take = (expected: string): void => {
    if (tokens[position] !== expected) throw unexpected(expected);
    position++;
  };
  const unexpected = (wanted: string): ExpressionError =>
    new ExpressionError(
      tokens[position] === undefined
        ? `${wanted} is missing at the end`
        : `'${tokens[position]}' stands where ${wanted} should`,
    );

  const sum = (): Expression => {
    if (++depth > DEEPEST) throw new ExpressionError('it is nested too deeply');
    let left = term();
    while (peek() === '+' || peek() === '-') {
      const sign = tokens[position++] === '+' ? 1 : -1;
      const before = left;
      const right = term();
      left = (v) => before(v) + sign * right(v);
    }
    depth--;
    return left;
  };
  const term = (): Expression => {
    let left = factor();
    while (peek() === '*' || peek() === '/') {
      const divides = tokens[position++] === '/';
      const before = left;
      const right = factor();
      left = divides ? (v) => before(v) / right(v) : (v) => before(v) * right(v);
    }
    return left;
  };
  const factor = (): Expression => {
    if (peek() !== '-') return power();
    position++;
    if (++depth > DEEPEST) throw new ExpressionError('it is nested too deeply');
    const operand = factor();
    depth--;
    return (v) => -operand(v);
  };
  const power = (): Expression => {
    const base = atom();
    if (peek() !== '^') return base;
    position++;
    const exponent = factor();
    return (v) => base(v) ** exponent(v);
  };
  const atom = (): Expression => {
    const token = peek();
    if (token === '(') {
      position++;
      const inner = sum();
      take(')');
      return inner;
    }
    if (token !== undefined && /^[\d.]/u.test(token)) {
      position++;
      const value = Number(token);
      return () => value;
    }
    if (token !== undefined && /^[A-Za-z]/u.test(token)) {
      position++;
      return named(token);
    }
    throw unexpected('a number, n, d, s or a parenthesis');
  };
  const named = (name: string): Expression => {
    const variable = VARIABLES.find((known) => known === name);
    if (variable !== undefined) return (v) => v[variable];
    const definition = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (definition === undefined) {
      throw new ExpressionError(
        `'${name}' is none of ${[...VARIABLES, ...Object.keys(FUNCTIONS)].join(', ')}`,
      );
    }
    take('(');
    const operands = [sum()];
    while (peek() === ',') {
      position++;
      operands.push(sum());
    }
    take(')');
    const { arity, apply } = definition;
    if (operands.length !== arity) {
      throw new ExpressionError(
        `${name} takes ${arity} value${arity > 1 ? 's' : ''}, not ${operands.length}`,
      );
    }
    return (v) => apply(...operands.map((operand) => operand(v)));
  };

  const expression = sum();
  if (position < tokens.length) throw unexpected('an operator');
  return expression;
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (const rest = text.trimEnd(); TOKEN.lastIndex < rest.length;) {
    const match = TOKEN.exec(rest);
    if (match === null) break;
    const token = match[1] ?? match[2] ?? match[3]!;
    if (match[3] !== undefined && !'+-*/^(),'.includes(token)) {
      throw new ExpressionError(`'${token}' has no meaning here`);
    }
    tokens.push(token);
  }
  return tokens;
}
