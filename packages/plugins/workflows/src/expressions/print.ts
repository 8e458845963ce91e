import { type Expression, PRECEDENCE } from './expression.ts';

/** An expression as text that reads as the same. */
export function printExpression(expression: Expression): string {
  return print(expression, 0);
}

const CHOICE = 0;
const UNARY = PRECEDENCE.length + 1;
const PATH = UNARY + 1;

/** @param least how tightly it must bind where it stands, or it is put in parentheses */
function print(expression: Expression, least: number): string {
  const { text, binds } = printed(expression);
  return binds < least ? `(${text})` : text;
}

function printed(expression: Expression): { text: string; binds: number } {
  switch (expression.type) {
    case 'literal':
      return { text: literal(expression.value), binds: PATH };
    case 'name':
      return { text: expression.name, binds: PATH };
    case 'member':
      return { text: `${print(expression.of, PATH)}.${expression.name}`, binds: PATH };
    case 'index':
      return { text: `${print(expression.of, PATH)}[${print(expression.index, CHOICE)}]`, binds: PATH };
    case 'call': {
      const given = expression.arguments.map((each) => print(each, CHOICE)).join(', ');
      return { text: `${expression.name}(${given})`, binds: PATH };
    }
    case 'not':
      return { text: `!${print(expression.of, UNARY)}`, binds: UNARY };
    case 'binary': {
      const { operator, left, right } = expression;
      const binds = PRECEDENCE.findIndex((each) => each.some((one) => one === operator)) + 1;
      return { text: `${print(left, binds)} ${operator} ${print(right, binds + 1)}`, binds };
    }
    case 'choice': {
      const { condition, yes, no } = expression;
      return {
        text: `${print(condition, CHOICE + 1)} ? ${print(yes, CHOICE)} : ${print(no, CHOICE)}`,
        binds: CHOICE,
      };
    }
  }
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
