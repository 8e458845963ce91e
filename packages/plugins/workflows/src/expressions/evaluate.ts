import { type Expression, ExpressionFault } from './expression.ts';
import { functionOf } from './functions.ts';
import { isEqual, isTrue, memberOf, type Value } from './values.ts';
import type { Work } from './work.ts';

/** What names stand for. */
export type Scope = Readonly<Record<string, Value>>;

/**
 * What an expression comes to; null for what is not there. Each part is worked out at most once, and nothing
 * that it gives is read as an expression again.
 * @param work of all expressions that are worked out together
 * @throws {ExpressionFault} only for more work than that may take, and for what would come to another value than is
 * written
 */
export function evaluate(expression: Expression, scope: Scope, work: Work): Value {
  switch (expression.type) {
    case 'literal':
      return expression.value;
    case 'name':
      return memberOf(scope, expression.name);
    case 'member':
      return memberOf(evaluate(expression.of, scope, work), expression.name);
    case 'index':
      return memberOf(evaluate(expression.of, scope, work), evaluate(expression.index, scope, work));
    case 'not':
      return !isTrue(evaluate(expression.of, scope, work));
    case 'choice':
      return isTrue(evaluate(expression.condition, scope, work))
        ? evaluate(expression.yes, scope, work)
        : evaluate(expression.no, scope, work);
    case 'call':
      return call(expression, scope, work);
    case 'binary':
      return binary(expression, scope, work);
  }
}

type Of<Type extends Expression['type']> = Extract<Expression, { readonly type: Type }>;

function call({ name, arguments: given, at }: Of<'call'>, scope: Scope, work: Work): Value {
  const called = functionOf(name);
  const weigh = (value: Value, where: number) =>
    called?.isFlat ? work.weighFlat(value, where) : work.weigh(value, where);
  const values = given.map((each) => {
    const value = evaluate(each, scope, work);
    weigh(value, each.at);
    return value;
  });
  const made =
    called?.apply(
      values,
      (characters, members = 0) => work.spend(characters, members, at),
      (message) => {
        throw new ExpressionFault(message, at);
      },
    ) ?? null;
  weigh(made, at);
  return made;
}

function binary({ operator, left, right }: Of<'binary'>, scope: Scope, work: Work): Value {
  const first = evaluate(left, scope, work);
  if (operator === '||') return isTrue(first) ? first : evaluate(right, scope, work);
  if (operator === '&&') return isTrue(first) ? evaluate(right, scope, work) : first;
  const second = evaluate(right, scope, work);
  if (operator === '==' || operator === '!=') {
    work.weigh(first, left.at);
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
