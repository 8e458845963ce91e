import type { Language } from '../language.ts';

export const csharp = {
  name: 'C#',
  extensions: ['.cs'],
  grammar: 'c-sharp',
  query: `
(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @name) @module
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @struct
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(enum_member_declaration name: (_) @name) @enum_member
(delegate_declaration name: (_) @name) @type
(constructor_declaration name: (_) @name) @constructor
(method_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(property_declaration name: (_) @name) @field
(event_declaration name: (_) @name) @field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name) @field))
(field_declaration (modifier) @modifier (variable_declaration (variable_declarator name: (_) @name) @constant) (#eq? @modifier "const"))
(field_declaration (variable_declaration (variable_declarator name: (_) @name) @field))
(variable_declaration (variable_declarator name: (_) @name) @variable)
[
  (method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression)
  (anonymous_method_expression) (accessor_declaration) (operator_declaration)
] @local
`,
  wrappers: [
    'variable_declaration',
    'field_declaration',
    'event_field_declaration',
    'local_declaration_statement',
  ],
} satisfies Language;
