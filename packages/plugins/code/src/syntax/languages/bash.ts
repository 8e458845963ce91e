import type { Language } from '../language.ts';

export const bash = {
  name: 'Bash',
  extensions: ['.sh', '.bash'],
  grammar: 'bash',
  query: `
(function_definition name: (_) @name) @function
(variable_assignment name: (variable_name) @name) @variable
(function_definition) @local
`,
  wrappers: ['declaration_command'],
} satisfies Language;
