import { type Expression, ExpressionFault } from './expression.ts';
import { functionOf } from './functions.ts';
import { isEqual, isTrue, isWithinLimits, memberOf, type Value } from './values.ts';

/** What names stand for. */
export type Scope = Readonly<Record<string, Value>>;

/**
 * What an expression comes to; null for what is not there. Each part is worked out at most once, and nothing
 * that it gives is read as an expression again.
 * @throws {ExpressionFault} only for a value beyond the limits
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.type) {
    case 'literal':
      return expression.value;
    case 'name':
      return memberOf(scope, expression.name);
    case 'member':
      return memberOf(evaluate(expression.of, scope), expression.name);
    case 'index':
      return memberOf(evaluate(expression.of, scope), evaluate(expression.index, scope));
    case 'not':
      return !isTrue(evaluate(expression.of, scope));
    case 'choice':
      return evaluate(isTrue(evaluate(expression.condition, scope)) ? expression.yes : expression.no, scope);
    case 'call':
      return call(expression, scope);
    case 'binary':
      return binary(expression, scope);
  }
}

type Of<Type extends Expression['type']> = Extract<Expression, { readonly type: Type }>;

function call({ name, arguments: given, at }: Of<'call'>, scope: Scope): Value {
  const values = given.map((each) => within(evaluate(each, scope), each.at));
  return within(functionOf(name)?.apply(values) ?? null, at);
}

function binary({ operator, left, right }: Of<'binary'>, scope: Scope): Value {
  const first = evaluate(left, scope);
  if (operator === '||') return isTrue(first) ? first : evaluate(right, scope);
  if (operator === '&&') return isTrue(first) ? evaluate(right, scope) : first;
  const second = evaluate(right, scope);
  if (operator === '==' || operator === '!=') {
    within(first, left.at);
    return isEqual(first, second) === (operator === '==');
  }
  return isOrdered(first, second, operator);
}

/** Numbers by size, texts by their characters; anything else is in no order. */
function isOrdered(left: Value, right: Value, operator: '<' | '<=' | '>' | '>='): boolean {
  const areNumbers = typeof left === 'number' && typeof right === 'number';
  const areTexts = typeof left === 'string' && typeof right === 'string';
  if (!areNumbers && !areTexts) return false;
  const [a, b] = [left, right] as [number, number] | [string, string];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

/** @throws {ExpressionFault} for a value that nothing may be made of */
export function within(value: Value, at: number): Value {
  if (isWithinLimits(value)) return value;
  throw new ExpressionFault('the value is too large or too deeply nested to be worked on', at);
}
