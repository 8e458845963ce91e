import type { Language } from '../language.ts';

const query = `
(class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(enum_body name: (_) @name @enum_member)
(enum_assignment name: (_) @name) @enum_member
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(function_signature name: (_) @name) @function
(method_definition name: (_) @name (#eq? @name "constructor")) @constructor
(method_definition name: (_) @name) @method
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: (arrow_function)) @method
(public_field_definition name: (_) @name) @field
(interface_body (property_signature name: (_) @name) @field)
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
(variable_declarator name: (identifier) @name) @variable
[
  (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition) (class_static_block)
] @local
`;

const wrappers = ['export_statement', 'lexical_declaration', 'variable_declaration', 'ambient_declaration'];

export const typescript = {
  name: 'TypeScript',
  extensions: ['.ts', '.mts', '.cts'],
  grammar: 'typescript',
  query,
  wrappers,
} satisfies Language;

export const tsx = {
  name: 'TSX',
  extensions: ['.tsx'],
  grammar: 'tsx',
  query,
  wrappers,
} satisfies Language;
