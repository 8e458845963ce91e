/** Whether the second half of a pair of surrogates stands there, whose first stands before it: no place to cut a text. */
export function isHalf(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
