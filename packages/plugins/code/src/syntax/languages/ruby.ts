import type { Language } from '../language.ts';

export const ruby = {
  name: 'Ruby',
  extensions: ['.rb', '.rake', '.gemspec'],
  grammar: 'ruby',
  query: `
(class name: (_) @name) @class
(module name: (_) @name) @module
(program (method name: (_) @name) @function)
(method name: (_) @name (#eq? @name "initialize")) @constructor
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(call method: (identifier) @call arguments: (argument_list (simple_symbol) @name @field)
  (#match? @call "^attr_(reader|writer|accessor)$"))
(assignment left: (constant) @name) @constant
(assignment left: (identifier) @name) @variable
[(method) (singleton_method)] @local
`,
  wrappers: [],
} satisfies Language;
