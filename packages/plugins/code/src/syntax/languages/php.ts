import type { Language } from '../language.ts';

export const php = {
  name: 'PHP',
  extensions: ['.php', '.phtml'],
  grammar: 'php',
  query: `
(namespace_definition name: (_) @name) @module
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @trait
(enum_declaration name: (_) @name) @enum
(enum_case name: (_) @name) @enum_member
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name (#eq? @name "__construct")) @constructor
(method_declaration name: (_) @name) @method
(property_declaration (property_element (variable_name (name) @name)) @field)
(property_promotion_parameter name: (variable_name (name) @name)) @field
(const_declaration (const_element (name) @name) @constant)
(assignment_expression left: (variable_name (name) @name)) @variable
[(function_definition) (anonymous_function) (arrow_function)] @local
(method_declaration body: (_) @local)
`,
  wrappers: ['property_declaration', 'const_declaration'],
} satisfies Language;
