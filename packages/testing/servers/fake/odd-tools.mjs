import { text, tool } from './tool.mjs';

/** Definitions that a client must contain: broken ones among good ones, names that are too long or strange. */
export function oddTools({
  badTool,
  longName,
  oddNames,
  oddAnswers,
  says,
  manyTools = 0,
  hostileTools = [],
}) {
  const named = (name) =>
    tool({ name, description: `Answers its own name, ${name}.`, call: () => text(name) });
  return [
    ...(badTool
      ? BROKEN.map((definition) => ({ listing: () => definition, call: () => text('broken') }))
      : []),
    ...hostileTools.map((definition) =>
      tool({ name: 'hostile', ...definition, call: (args) => text(JSON.stringify(args).slice(0, 100)) }),
    ),
    ...(oddAnswers
      ? Object.entries(ODD_ANSWERS).map(([name, answer]) =>
          tool({
            name,
            description: `Answers against the protocol: ${name}.`,
            annotations: { readOnlyHint: true },
            call: () => answer,
          }),
        )
      : []),
    ...(says
      ? [
          tool({
            name: 'say',
            description: 'Answers a text as it is, and a picture beside it where that is asked for.',
            inputSchema: {
              type: 'object',
              properties: { text: { type: 'string' }, picture: { type: 'string' } },
              required: ['text'],
            },
            annotations: { readOnlyHint: true },
            call: ({ text: said, picture: data }) => ({
              content: [
                { type: 'text', text: said },
                ...(data ? [{ type: 'image', data, mimeType: 'image/png' }] : []),
              ],
            }),
          }),
          tool({
            name: 'forge',
            description: 'Answers the result that it is given, or fails with the error.',
            inputSchema: { type: 'object', properties: { result: {}, error: {} } },
            annotations: { readOnlyHint: true },
            call({ result, error }) {
              if (error) throw error;
              return result;
            },
          }),
        ]
      : []),
    ...(longName ? [named('n'.repeat(80)), named(`${'n'.repeat(79)}m`)] : []),
    ...(oddNames
      ? ['with space', 'dot.ted', 'slash/ed', 'ümlaut', 'UPPER', 'a__b', 'dash-ed'].map(named)
      : []),
    ...Array.from({ length: manyTools }, (_, index) => named(`tool_${String(index).padStart(4, '0')}`)),
  ];
}

/** Each says `odd`, somewhere. */
const ODD_ANSWERS = {
  structure_alone: { structuredContent: { said: 'odd' } },
  tool_result: { toolResult: { said: 'odd' } },
  plain_string: { content: 'odd' },
  textless: { content: [{ type: 'text' }, { type: 'text', text: 'odd' }] },
};

const BROKEN = [
  { name: 'bad_schema', description: 'Its schema is no schema.', inputSchema: 'none' },
  { name: 'bad_type', description: 'Of a type that JSON Schema has not.', inputSchema: { type: 'objekt' } },
  { description: 'It has no name.', inputSchema: { type: 'object' } },
  { name: 7, description: 'Its name is a number.', inputSchema: { type: 'object' } },
  'no object',
  null,
];
