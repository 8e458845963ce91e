/** What an expression says. `at` is where it begins in its text, from 0. */
export type Expression = { readonly at: number } & (
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'member'; readonly of: Expression; readonly name: string }
  | { readonly type: 'index'; readonly of: Expression; readonly index: Expression }
  | { readonly type: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
  | { readonly type: 'not'; readonly of: Expression }
  | {
      readonly type: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly type: 'choice';
      readonly condition: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
);

/** From the loosest to the tightest; those of one line bind alike, to the left. */
export const PRECEDENCE = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>=']] as const;

export type BinaryOperator = (typeof PRECEDENCE)[number][number];

/** What is wrong with an expression, and where in its text. */
export class ExpressionFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = 'ExpressionFault';
    this.at = at;
  }
}
