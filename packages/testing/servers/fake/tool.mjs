/**
 * A tool is its definition, as `tools/list` serves it, with `call` beside it. Where the definition changes
 * while the process lives, `describe` gives the description at each list.
 */
export function tool({ call, describe, ...definition }) {
  const whole = { inputSchema: { type: 'object', properties: {} }, ...definition };
  return {
    name: definition.name,
    call,
    listing: () => (describe ? { ...whole, description: describe() } : whole),
  };
}

export function text(...lines) {
  return { content: lines.map((line) => ({ type: 'text', text: line })) };
}
