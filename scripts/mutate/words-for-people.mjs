/** What an error or a log line says to people guards nothing: that it is thrown at all is what tests hold. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'words-for-people',
    value: {
      shouldIgnore: ({ node }) => (isError(node) || isLogLine(node) ? 'words for people' : undefined),
    },
  },
];

function isError({ type, callee }) {
  return type === 'NewExpression' && callee.type === 'Identifier' && callee.name.endsWith('Error');
}

function isLogLine({ type, callee }) {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const { object } = callee;
  return object.name === 'log' || object.property?.name === 'log';
}
