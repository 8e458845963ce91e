/** A text as a regular expression that matches it, outside of a class. `RegExp.escape` is there from Node 24 on. */
export function escapeForExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
