/** A number with its noun, as a person writes it: `1 file`, `2 files`, `2 searches`. */
export function counted(
  count: number,
  one: string,
  many = /(?:s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`,
): string {
  return `${count} ${count === 1 ? one : many}`;
}
