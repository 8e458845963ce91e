import type { Language } from '../language.ts';

export const python = {
  name: 'Python',
  extensions: ['.py', '.pyi'],
  grammar: 'python',
  query: `
(class_definition name: (_) @name) @class
(class_definition body: (block (function_definition name: (_) @name (#eq? @name "__init__")) @constructor))
(class_definition body: (block (function_definition name: (_) @name) @method))
(class_definition body: (block (decorated_definition definition: (function_definition name: (_) @name) @method)))
(function_definition name: (_) @name) @function
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(assignment left: (identifier) @name (#match? @name "^[A-Z][A-Z0-9_]*$")) @constant
(assignment left: (identifier) @name) @variable
(type_alias_statement left: (type (identifier) @name)) @type
[(function_definition) (lambda)] @local
`,
  wrappers: [],
} satisfies Language;
