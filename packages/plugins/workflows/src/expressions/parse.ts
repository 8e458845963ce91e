import { type BinaryOperator, type Expression, ExpressionFault, PRECEDENCE } from './expression.ts';
import { functionFault } from './functions.ts';
import { readTokens, SPLIT, type Token } from './tokens.ts';

/** Deeper, and reading it would take the stack. */
const MAX_DEPTH = 40;

/**
 * Reads one expression, by the whole of this grammar: names, `.name` and `[…]`, texts, numbers, `true`,
 * `false`, `null`, comparisons, `&&`, `||`, `!`, `a ? b : c` and the functions of {@link functionFault}.
 * @throws {ExpressionFault}
 */
export function parseExpression(source: string): Expression {
  return parseTokens(readTokens(source).tokens);
}

/** @throws {ExpressionFault} */
export function parseTokens(tokens: readonly Token[]): Expression {
  const reader = new Reader(tokens);
  const expression = reader.choice(0);
  reader.end();
  return expression;
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token; // the last is always the end, and none reads beyond it
  }

  #isMark(text: string): boolean {
    const token = this.#token;
    return token.type === 'mark' && token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#isMark(text)) return false;
    this.#next += 1;
    return true;
  }

  #need(text: string, after: string): void {
    if (!this.#take(text)) throw this.#unexpected(`${text} after ${after}`);
  }

  #unexpected(wanted: string): ExpressionFault {
    const token = this.#token;
    const found = token.type === 'end' ? 'the expression ends' : `there is ${shown(token)}`;
    return new ExpressionFault(`${found} where ${wanted} is wanted`, token.at);
  }

  end(): void {
    if (this.#token.type !== 'end') throw this.#unexpected('an operator or the end');
  }

  choice(depth: number): Expression {
    if (depth > MAX_DEPTH) {
      throw new ExpressionFault(
        `an expression is nested at most ${MAX_DEPTH} deep; ${SPLIT}`,
        this.#token.at,
      );
    }
    const { at } = this.#token;
    const condition = this.#binary(0, depth);
    if (!this.#take('?')) return condition;
    const yes = this.choice(depth + 1);
    this.#need(':', 'what holds where the condition does');
    return { type: 'choice', condition, yes, no: this.choice(depth + 1), at };
  }

  #binary(level: number, depth: number): Expression {
    const operators: readonly BinaryOperator[] | undefined = PRECEDENCE[level];
    if (!operators) return this.#unary(depth);
    const { at } = this.#token;
    let left = this.#binary(level + 1, depth);
    for (let nesting = depth; ; nesting += 1) {
      const operator = operators.find((each) => this.#isMark(each));
      if (operator === undefined) return left;
      if (nesting > MAX_DEPTH)
        throw new ExpressionFault(
          `an expression has at most ${MAX_DEPTH} ${operator} in a row; ${SPLIT}`,
          this.#token.at,
        );
      this.#next += 1;
      left = { type: 'binary', operator, left, right: this.#binary(level + 1, depth), at };
    }
  }

  #unary(depth: number): Expression {
    const { at } = this.#token;
    if (depth > MAX_DEPTH)
      throw new ExpressionFault(`an expression has at most ${MAX_DEPTH} ! in a row; ${SPLIT}`, at);
    if (this.#take('!')) return { type: 'not', of: this.#unary(depth + 1), at };
    return this.#path(depth);
  }

  #path(depth: number): Expression {
    const { at } = this.#token;
    let of = this.#primary(depth);
    for (let nesting = depth; ; nesting += 1) {
      if (nesting > MAX_DEPTH)
        throw new ExpressionFault(`a path has at most ${MAX_DEPTH} parts; ${SPLIT}`, this.#token.at);
      if (this.#take('.')) {
        const token = this.#token;
        if (token.type !== 'name') throw this.#unexpected('a name');
        this.#next += 1;
        of = { type: 'member', of, name: token.text, at };
      } else if (this.#take('[')) {
        const index = this.choice(depth + 1);
        this.#need(']', 'an index');
        of = { type: 'index', of, index, at };
      } else return of;
    }
  }

  #primary(depth: number): Expression {
    const token = this.#token;
    const { at } = token;
    if (token.type === 'number' || token.type === 'text') {
      this.#next += 1;
      return { type: 'literal', value: token.value, at };
    }
    if (token.type === 'name') {
      this.#next += 1;
      if (this.#isMark('(')) return this.#call(token.text, at, depth);
      return Object.hasOwn(WORDS, token.text)
        ? { type: 'literal', value: WORDS[token.text as keyof typeof WORDS], at }
        : { type: 'name', name: token.text, at };
    }
    if (this.#take('(')) {
      const inner = this.choice(depth + 1);
      this.#need(')', 'what stands in parentheses');
      return inner;
    }
    throw this.#unexpected('a value');
  }

  #call(name: string, at: number, depth: number): Expression {
    this.#take('(');
    const given: Expression[] = [];
    if (!this.#take(')')) {
      do given.push(this.choice(depth + 1));
      while (this.#take(','));
      this.#need(')', `the arguments of ${name}`);
    }
    const fault = functionFault(name, given.length);
    if (fault !== undefined) throw new ExpressionFault(fault, at);
    return { type: 'call', name, arguments: given, at };
  }
}

const WORDS = { true: true, false: false, null: null } as const;

function shown(token: Token): string {
  switch (token.type) {
    case 'name':
    case 'mark':
      return `"${token.text}"`;
    case 'number':
      return String(token.value);
    case 'text':
      return `'${token.value.slice(0, 40)}'`;
    case 'end':
      return 'the end';
  }
}
