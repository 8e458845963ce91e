import type { Language } from '../language.ts';
import { A_FUNCTION, ECMASCRIPT_QUERY, ECMASCRIPT_WRAPPERS } from './ecmascript.ts';

export const javascript = {
  name: 'JavaScript',
  extensions: ['.js', '.jsx', '.mjs', '.cjs'],
  grammar: 'javascript',
  query: `
(field_definition property: (_) @name value: ${A_FUNCTION}) @method
(field_definition property: (_) @name) @field
${ECMASCRIPT_QUERY}
`,
  wrappers: ECMASCRIPT_WRAPPERS,
} satisfies Language;
